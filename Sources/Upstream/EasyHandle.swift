internal import CCurl
internal import EventLoop
internal import Glibc
internal import HTTP
internal import TLS

/// Owns one `CURL *` (libcurl-easy(3)): set up once, used for one exchange after the other, freed in `deinit`.
///
/// Remembers what was set last, so that a request sets only what differs. Confined to its client's loop; all callbacks
/// get a pointer to this object and find the exchange of the moment in it.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    unowned(unsafe) let client: UpstreamClient
    /// The exchange that libcurl works on. It unhooks itself before it goes away.
    var exchange: Exchange? {
        get { unmanagedExchange?.takeUnretainedValue() }
        set { unmanagedExchange = newValue.map { Unmanaged.passUnretained($0) } }
    }
    /// The same, without a reference being counted.
    private(set) var unmanagedExchange: Unmanaged<Exchange>?
    /// Where the client keeps the handle while it has an exchange.
    var activeIndex: Int?
    /// Whether libcurl holds the handle in its multi.
    var isAdded = false
    /// Whether no other exchange may use it: after request trailers libcurl 7.88 leaves the handle in a state that breaks
    /// the next chunked upload, and it counts the resends of all of a handle's life and refuses the sixth.
    var isSpent = false
    /// Reads response heads; empty between exchanges.
    var parser = ResponseHeadParser()

    private let errorText: UnsafeMutablePointer<CChar>
    var headers = HeaderList()
    var headerStart: UnsafeMutablePointer<curl_slist>?
    var connectTo: UnsafeMutablePointer<curl_slist>?
    var url: OpaquePointer?
    var shape = Shape.get
    var method: [UInt8] = []
    var target: [UInt8] = []
    /// What came out about the last certificate that was verified for this handle.
    var verification: PeerVerification?
    /// How many TLS handshakes were begun for the request: the first one may be with a parent.
    var handshakes = 0
    /// CURLOPT_MAXAGE_CONN as it was last set, in seconds.
    var poolAge = 0
    /// How the last request reached its origin.
    var way: Way?
    var isWayForUpgrade = false
    /// Fields of a CONNECT to a parent.
    var connectFields: UnsafeMutablePointer<curl_slist>?
    var origin: (scheme: Scheme, authority: Authority)?
    /// Sockets that were opened for this transfer since it last had a connection.
    private var candidates: [curl_socket_t] = []
    private var peerText: [CChar] = []
    private var peer: SocketAddress?

    /// What libcurl is told to do, apart from the name of the method.
    enum Shape {
        case get, head, upload
    }

    init(client: UpstreamClient) throws(UpstreamError) {
        guard let raw = curl_easy_init() else { throw UpstreamError(.internal, "curl_easy_init failed.") }
        self.raw = raw
        self.client = client
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try setConstants(client.configuration)
    }

    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(connectTo)
        curl_slist_free_all(connectFields)
        curl_url_cleanup(url)
        errorText.deallocate()
    }

    /// What libcurl wrote about the last failure.
    var errorDescription: String { String(cString: errorText) }

    /// The request goes out again: what was wrong with the connection before says nothing about this one.
    func forgetError() { errorText[0] = 0 }

    /// `CURLINFO_OS_ERRNO`: the errno of the last failed connect.
    var systemError: Int {
        var value = 0
        return ccurl_get_long(raw, CURLINFO_OS_ERRNO, &value) == CURLE_OK ? value : 0
    }

    /// The transfer's TLS session, an `SSL *`, while it is under way; nil in clear text.
    var tlsSession: UnsafeMutableRawPointer? { ccurl_get_tls_session(raw) }

    /// The address that the transfer's connection leads to, parsed only when it is another than last time.
    func peerAddress(text: UnsafePointer<CChar>, port: UInt16) -> SocketAddress? {
        if let peer, peer.port == port, peerText.withUnsafeBufferPointer({ equal(text, $0.baseAddress!) }) {
            return peer
        }
        let ip = String(cString: text)
        peerText = Array(ip.utf8CString)
        peer = SocketAddress(ip: ip, port: port)
        return peer
    }

    /// Whether the request of the moment has a body, or asks for an upgrade.
    var isUpload: Bool { shape == .upload }

    // MARK: Sockets

    func didOpen(_ descriptor: curl_socket_t) {
        guard descriptor >= 0 else { return }
        client.didOpen(descriptor)
        if !candidates.contains(descriptor) { candidates.append(descriptor) }
    }

    /// The transfer has a connection with this local port: one of the candidates, or a pooled one.
    func didConnect(localPort: UInt16) {
        guard !candidates.isEmpty else { return }
        for descriptor in candidates where candidates.count == 1 || hasLocalPort(descriptor, localPort) {
            client.didEstablish(descriptor)
        }
        candidates.removeAll(keepingCapacity: true)
    }

    /// Forgets the sockets of an attempt that came to nothing.
    func forgetCandidates() { candidates.removeAll(keepingCapacity: true) }

    // MARK: Options

    func set(_ option: CURLoption, _ value: Int) throws(UpstreamError) {
        try check(ccurl_set_long(raw, option, value), option)
    }

    func set(_ option: CURLoption, _ value: String?) throws(UpstreamError) {
        // libcurl copies the string (curl_easy_setopt(3)).
        let code =
            value.map { $0.withCString { ccurl_set_string(raw, option, $0) } } ?? ccurl_set_string(raw, option, nil)
        try check(code, option)
    }

    func set(_ option: CURLoption, bytes: [UInt8]) throws(UpstreamError) {
        let code = withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
            for index in 0..<bytes.count { buffer[index] = CChar(bitPattern: bytes[index]) }
            buffer[bytes.count] = 0
            return ccurl_set_string(raw, option, buffer.baseAddress)
        }
        try check(code, option)
    }

    func check(_ code: CURLcode, _ option: CURLoption) throws(UpstreamError) {
        if code != CURLE_OK {
            throw UpstreamError(
                .internal, "libcurl refused option \(option.rawValue): \(String(cString: curl_easy_strerror(code))).")
        }
    }

    private func setConstants(_ configuration: UpstreamConfiguration) throws(UpstreamError) {
        try check(ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText), CURLOPT_ERRORBUFFER)
        try check(ccurl_set_pointer(raw, CURLOPT_SHARE, client.share), CURLOPT_SHARE)
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_NOPROGRESS, 1)
        try set(CURLOPT_QUICK_EXIT, 1)  // else removing a handle waits for its look-up thread
        try set(CURLOPT_PROXY, "")  // environment variables are not libcurl's to follow
        try set(CURLOPT_NOPROXY, "")
        try setParentConstants(configuration)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_TCP_NODELAY, 1)
        try set(CURLOPT_BUFFERSIZE, 64 * 1024)
        try set(CURLOPT_UPLOAD_BUFFERSIZE, 16 * 1024)
        try set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        poolAge = configuration.idlePool.wholeMilliseconds / 1000
        try set(CURLOPT_MAXAGE_CONN, poolAge)
        try set(CURLOPT_DNS_CACHE_TIMEOUT, configuration.dnsCache.wholeMilliseconds / 1000)
        try client.trust.apply(to: self)
        try installCallbacks()
    }
}

/// Whether two NUL-terminated strings are the same.
private func equal(_ left: UnsafePointer<CChar>, _ right: UnsafePointer<CChar>) -> Bool {
    var index = 0
    while left[index] == right[index] {
        if left[index] == 0 { return true }
        index += 1
    }
    return false
}

/// Whether an open socket is bound to `port` (getsockname(2)).
private func hasLocalPort(_ descriptor: curl_socket_t, _ port: UInt16) -> Bool {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
        let pointer = bytes.baseAddress!
        guard getsockname(descriptor, pointer.assumingMemoryBound(to: sockaddr.self), &length) == 0 else {
            return false
        }
        return SocketAddress(sockaddr: pointer)?.port == port
    }
}

extension Duration {
    /// Rounded up, never negative, at most what fits libcurl's `long` of milliseconds.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let limited = min(seconds, Int64(Int32.max) / 1000 - 1)
        return Int(limited * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
