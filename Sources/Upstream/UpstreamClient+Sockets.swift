internal import CCurl
internal import EventLoop

/// What libcurl wants to know about one socket, and what the loop watches it for: the two differ on purpose.
///
/// libcurl takes its interest back after every transfer and announces it again for the next one on the same
/// connection. The poll stays registered meanwhile, which saves two system calls a request; it is dropped only when the
/// unused socket becomes ready after all (the peer closed it, or sent what nobody asked for).
struct SocketInterest {
    let watcher: SocketWatcher
    var wanted: Readiness
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
        if index < sockets.count, sockets[index] != nil {
            sockets[index]!.wanted = wanted
            // A paused transfer wants nothing or only one direction: those polls would fire for nothing, but an unused
            // connection's is kept.
            if !wanted.isEmpty { sockets[index]!.watcher.update(wanted) }
            return
        }
        guard !wanted.isEmpty else { return }
        while sockets.count <= index { sockets.append(nil) }
        // unowned: the client closes every watcher before it goes away.
        guard
            let watcher = try? SocketWatcher(loop: loop, descriptor: descriptor, { [unowned self] readiness in
                isReady(descriptor, readiness)
            })
        else { return }
        watcher.update(wanted)
        sockets[index] = SocketInterest(watcher: watcher, wanted: wanted)
        openSockets += 1
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

    /// CURLOPT_CLOSESOCKETFUNCTION: polling must end before the descriptor does.
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
    if client.upgrades > 0, let handle = EasyHandle.owning(easy) {
        handle.exchange?.interestChanged(descriptor, canRead: what == CURL_POLL_IN || what == CURL_POLL_INOUT)
    }
    return 0
}
