internal import CCurl
internal import EventLoop

/// What libcurl wants to know about one socket, and what the loop watches it for: the two differ on purpose.
///
/// libcurl takes its interest back after every transfer and announces it again for the next one on the same
/// connection. The poll stays registered meanwhile, which saves two system calls a request; it is dropped only when the
/// unused socket becomes ready after all (the peer closed it, or sent what nobody asked for).
///
/// That holds only for a socket of a connection that stands. One that libcurl still tries to connect it closes without
/// a word (`cf_socket_close` in its cf-socket.c), so its poll ends with the interest; and the next one it opens may get
/// the same number and be taken for the old one, so that no interest is announced for it (`didOpen`).
struct SocketInterest {
    var watcher: SocketWatcher
    var wanted: Readiness
    /// A request has gone out on it: CURLOPT_CLOSESOCKETFUNCTION will tell of its end.
    var isEstablished = false
}

extension UpstreamClient {
    /// CURLMOPT_SOCKETFUNCTION.
    func interestChanged(_ descriptor: curl_socket_t, _ what: Int32) {
        let index = Int(descriptor)
        let wanted: Readiness =
            switch what {
            case CURL_POLL_IN: .readable
            case CURL_POLL_OUT: .writable
            case CURL_POLL_INOUT: [.readable, .writable]
            default: []  // CURL_POLL_REMOVE
            }
        guard index < sockets.count, sockets[index] != nil else {
            if !wanted.isEmpty { watch(descriptor, wanted) }
            return
        }
        if !wanted.isEmpty {
            sockets[index]!.wanted = wanted
            sockets[index]!.watcher.update(wanted)
        } else if sockets[index]!.isEstablished {
            sockets[index]!.wanted = wanted
        } else {
            willClose(descriptor)
        }
    }

    private func watch(_ descriptor: curl_socket_t, _ wanted: Readiness) {
        let index = Int(descriptor)
        while sockets.count <= index { sockets.append(nil) }
        // unowned: the client closes every watcher before it goes away.
        guard
            let watcher = try? SocketWatcher(
                loop: loop, descriptor: descriptor, { [unowned self] readiness in isReady(descriptor, readiness) })
        else { return }
        watcher.update(wanted)
        sockets[index] = SocketInterest(watcher: watcher, wanted: wanted)
        openSockets += 1
    }

    /// A new socket got this number; whatever was watched under it is gone.
    func didOpen(_ descriptor: curl_socket_t) {
        guard descriptor >= 0, Int(descriptor) < sockets.count, let old = sockets[Int(descriptor)] else { return }
        willClose(descriptor)
        if !old.wanted.isEmpty { watch(descriptor, old.wanted) }
    }

    /// A request goes out on this socket.
    func didEstablish(_ descriptor: curl_socket_t) {
        guard Int(descriptor) < sockets.count else { return }
        sockets[Int(descriptor)]?.isEstablished = true
    }

    private func isReady(_ descriptor: curl_socket_t, _ readiness: Readiness) {
        guard let interest = sockets[Int(descriptor)] else { return }
        if interest.wanted.isEmpty {
            interest.watcher.update([])
            return
        }
        if readiness.contains(.failed) {
            // libuv has stopped the poll. Let libcurl find the error itself, by reading or writing.
            interest.watcher.update([])
            drive(descriptor, CURL_CSELECT_IN | CURL_CSELECT_OUT)
            if let again = sockets[Int(descriptor)], again.watcher === interest.watcher {
                again.watcher.update(again.wanted)
            }
            return
        }
        var events: Int32 = 0
        if readiness.contains(.readable) || readiness.contains(.disconnected) { events |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
        drive(descriptor, events)
    }

    /// CURLOPT_CLOSESOCKETFUNCTION, and the end of an attempt to connect: polling ends before the descriptor does.
    func willClose(_ descriptor: curl_socket_t) {
        let index = Int(descriptor)
        guard index >= 0, index < sockets.count, let interest = sockets[index] else { return }
        interest.watcher.close()
        sockets[index] = nil
        openSockets -= 1
    }
}

/// CURLMOPT_SOCKETFUNCTION.
let socketCallback: curl_socket_callback = { easy, descriptor, what, context, _ in
    let client = Unmanaged<UpstreamClient>.fromOpaque(context!).takeUnretainedValue()
    client.interestChanged(descriptor, what)
    if client.uploads > 0, let handle = EasyHandle.owning(easy) {
        handle.exchange?.interestChanged(descriptor, canRead: what == CURL_POLL_IN || what == CURL_POLL_INOUT)
    }
    return 0
}
