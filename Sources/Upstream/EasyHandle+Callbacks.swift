internal import CCurl
internal import EventLoop
internal import Glibc
internal import TLS

/// libcurl's callbacks: each unwraps its pointer and tells the exchange. None of them may call libcurl, but for
/// `EasyHandle+FirstField.swift`, which only sets an option and pauses.
extension EasyHandle {
    func installCallbacks() throws(UpstreamError) {
        let me = Unmanaged.passUnretained(self).toOpaque()
        try check(ccurl_set_pointer(raw, CURLOPT_PRIVATE, me), CURLOPT_PRIVATE)
        try check(ccurl_on_header(raw, didReceiveHeader, me), CURLOPT_HEADERFUNCTION)
        try check(ccurl_on_write(raw, didReceiveBody, me), CURLOPT_WRITEFUNCTION)
        try check(ccurl_on_read(raw, wantsBody, me), CURLOPT_READFUNCTION)
        try check(ccurl_on_seek(raw, wantsRewind, me), CURLOPT_SEEKFUNCTION)
        try check(ccurl_on_prerequest(raw, willSendRequest, me), CURLOPT_PREREQFUNCTION)
        try check(ccurl_on_open_socket(raw, willOpenSocket, me), CURLOPT_OPENSOCKETFUNCTION)
        try check(ccurl_on_ssl_context(raw, willBeginTLS, me), CURLOPT_SSL_CTX_FUNCTION)
        try installFirstFieldGuard()
        // A connection outlives the handle that opened it: closing is the client's.
        let client = Unmanaged.passUnretained(client).toOpaque()
        try check(ccurl_on_close_socket(raw, willCloseSocket, client), CURLOPT_CLOSESOCKETFUNCTION)
    }

    /// Installs the callback that hands out request trailers; the handle cannot be used again after that.
    func announceTrailers() {
        isSpent = true
        _ = ccurl_on_trailers(raw, wantsTrailers, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The owner of one of libcurl's handles (CURLINFO_PRIVATE).
    static func owning(_ raw: UnsafeMutableRawPointer?) -> EasyHandle? {
        var context: UnsafeMutableRawPointer?
        guard let raw, ccurl_get_pointer(raw, CURLINFO_PRIVATE, &context) == CURLE_OK, let context else { return nil }
        return from(context)
    }

    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> EasyHandle {
        Unmanaged<EasyHandle>.fromOpaque(context!).takeUnretainedValue()
    }
}

/// CURLOPT_HEADERFUNCTION: one whole line, its end included.
private let didReceiveHeader: curl_write_callback = { data, size, count, context in
    let length = size * count
    let line = UnsafeRawBufferPointer(start: data, count: length)
    // Once a line: worth doing without counting references.
    return Unmanaged<EasyHandle>.fromOpaque(context!)._withUnsafeGuaranteedRef { handle in
        guard let exchange = handle.unmanagedExchange else { return 0 }
        handle.guardFirstField(after: line)
        return exchange._withUnsafeGuaranteedRef { $0.didReceive(headerLine: line, &handle.parser) } ? length : 0
    }
}

/// CURLOPT_WRITEFUNCTION: at most 16 KiB of the body (CURL_MAX_WRITE_SIZE).
private let didReceiveBody: curl_write_callback = { data, size, count, context in
    let length = size * count
    guard let exchange = EasyHandle.from(context).exchange else { return 0 }
    guard length > 0, let data else { return 0 }
    return exchange.didReceive(body: UnsafeRawBufferPointer(start: data, count: length))
}

/// CURLOPT_READFUNCTION: libcurl wants bytes of the request body.
private let wantsBody: curl_read_callback = { data, size, count, context in
    guard let exchange = EasyHandle.from(context).exchange, let data else { return Int(CURL_READFUNC_ABORT) }
    return exchange.takeBody(into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
}

/// CURLOPT_SEEKFUNCTION: a connection died, and libcurl would send the body from its first byte again.
private let wantsRewind: curl_seek_callback = { context, offset, origin in
    guard let exchange = EasyHandle.from(context).exchange, offset == 0, origin == SEEK_SET else {
        return CURL_SEEKFUNC_CANTSEEK
    }
    return exchange.hasTakenBody ? CURL_SEEKFUNC_FAIL : CURL_SEEKFUNC_OK
}

/// CURLOPT_PREREQFUNCTION: the connection stands and the request is about to go out.
private let willSendRequest: curl_prereq_callback = { context, remote, _, port, localPort in
    let handle = EasyHandle.from(context)
    guard let exchange = handle.exchange, let remote else { return CURL_PREREQFUNC_ABORT }
    handle.didConnect(localPort: UInt16(truncatingIfNeeded: localPort))
    let peer = handle.peerAddress(text: remote, port: UInt16(truncatingIfNeeded: port))
    return exchange.willSend(to: peer) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// CURLOPT_OPENSOCKETFUNCTION: one address is about to be connected.
private let willOpenSocket: curl_opensocket_callback = { context, _, address in
    let handle = EasyHandle.from(context)
    guard let address, let exchange = handle.exchange,
        exchange.mayConnect(to: SocketAddress(sockaddr: ccurl_address(address)))
    else { return CURL_SOCKET_BAD }
    let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(address.pointee.family, type, address.pointee.protocol)
    handle.didOpen(descriptor)
    return descriptor
}

/// CURLOPT_SSL_CTX_FUNCTION: a TLS handshake is about to begin, with this SSL_CTX.
private let willBeginTLS: curl_ssl_ctx_callback = { _, tls, context in
    guard let tls else { return CURLE_OK }
    let handle = EasyHandle.from(context)
    handle.handshakes += 1
    handle.verification = PeerVerification(watching: tls)
    return CURLE_OK
}

/// CURLOPT_CLOSESOCKETFUNCTION.
private let willCloseSocket: curl_closesocket_callback = { context, descriptor in
    Unmanaged<UpstreamClient>.fromOpaque(context!).takeUnretainedValue().willClose(descriptor)
    return close(descriptor)
}

/// CURLOPT_TRAILERFUNCTION: libcurl frees the list.
private let wantsTrailers: curl_trailer_callback = { list, context in
    guard let exchange = EasyHandle.from(context).exchange, let list else { return CURL_TRAILERFUNC_ABORT }
    var lines: UnsafeMutablePointer<curl_slist>?
    exchange.forEachRequestTrailer { line in
        if let longer = curl_slist_append(lines, line) { lines = longer }
    }
    list.pointee = lines
    return CURL_TRAILERFUNC_OK
}
