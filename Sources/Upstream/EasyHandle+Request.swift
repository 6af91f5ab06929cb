internal import CCurl
internal import HTTP

/// Telling libcurl about one request: only what differs from the one before is set.
extension EasyHandle {
    /// Sets what differs from the last request.
    func prepare(_ request: borrowing OutboundRequest, _ way: Way) throws(UpstreamError) {
        verification = nil
        handshakes = 0
        parser.reset()  // the last exchange may have ended inside a head
        if origin?.scheme != request.scheme || origin?.authority != request.authority {
            origin = nil
            try setOrigin(request.scheme, request.authority)
            origin = (request.scheme, request.authority)
        }
        try setWay(way)
        try setPoolAge(request)
        let wanted = way.asksParent ? request.absoluteTarget : request.target
        if target != wanted {
            try set(CURLOPT_REQUEST_TARGET, bytes: wanted)
            target = wanted
        }
        try setShape(request)
        let start = headers.build(request, isForParent: way.asksParent)
        if start != headerStart {
            try check(ccurl_set_list(raw, CURLOPT_HTTPHEADER, start), CURLOPT_HTTPHEADER)
            headerStart = start
        }
    }

    /// A pooled connection that its peer is about to close costs an idempotent request a second try, and any other one a
    /// 502: those take only connections that were used a moment ago, or a new one.
    private func setPoolAge(_ request: borrowing OutboundRequest) throws(UpstreamError) {
        let usual = client.configuration.idlePool.wholeMilliseconds / 1000
        let wanted = request.isIdempotent ? usual : min(usual, 1)
        if wanted == poolAge { return }
        try set(CURLOPT_MAXAGE_CONN, wanted)
        poolAge = wanted
    }

    private func setOrigin(_ scheme: Scheme, _ authority: Authority) throws(UpstreamError) {
        let isPlainName = authority.host.utf8.allSatisfy { byte in
            (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
                || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "~") || (byte == UInt8(ascii: ":") && authority.isIPv6Literal)
        }
        guard isPlainName else { throw UpstreamError(.nameNotFound, "The host is not a name that can be looked up.") }
        let name = authority.isIPv6Literal ? "[\(authority.host)]" : authority.host
        try setURL("\(scheme == .https ? "https" : "http")://\(name):\(authority.port)/")
        let configuration = client.configuration
        let isVerified = configuration.verifies(authority)
        try set(CURLOPT_SSL_VERIFYPEER, isVerified ? 1 : 0)
        try set(CURLOPT_SSL_VERIFYHOST, isVerified ? 2 : 0)
        // Connections and TLS sessions are shared only by requests with the same certificate (ssl_primary_config in
        // libcurl's urldata.h).
        let own = scheme == .https ? configuration.clientCertificate(authority) : nil
        try set(CURLOPT_SSLCERT, own?.certificateFile)
        try set(CURLOPT_SSLKEY, own?.keyFile)
        var list: UnsafeMutablePointer<curl_slist>?
        if let endpoint = configuration.resolve[authority] {
            let host = endpoint.host.utf8.contains(UInt8(ascii: ":")) ? "[\(endpoint.host)]" : endpoint.host
            list = curl_slist_append(nil, "\(name):\(authority.port):\(host):\(endpoint.port)")
        }
        let code = ccurl_set_list(raw, CURLOPT_CONNECT_TO, list)
        curl_slist_free_all(connectTo)
        connectTo = list
        try check(code, CURLOPT_CONNECT_TO)
    }

    /// The URL, and the same parsed once (CURLOPT_CURLU): libcurl would parse the text for every transfer.
    private func setURL(_ text: String) throws(UpstreamError) {
        try set(CURLOPT_URL, text)
        if url == nil { url = curl_url() }
        guard let url, curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else {
            throw UpstreamError(.nameNotFound, "The host is not a name that can be looked up.")
        }
        try check(ccurl_set_pointer(raw, CURLOPT_CURLU, UnsafeMutableRawPointer(url)), CURLOPT_CURLU)
    }

    private func setShape(_ request: borrowing OutboundRequest) throws(UpstreamError) {
        let hasBody =
            switch request.framing {
            case .none: request.upgrade
            case .length(let length): length > 0 || request.upgrade
            case .chunked: true
            }
        let wanted: Shape = hasBody ? .upload : (request.method == .head ? .head : .get)
        if wanted != shape {
            // Each of these undoes what the others set (curl_easy_setopt's source), so start from the plain GET.
            try set(CURLOPT_HTTPGET, 1)
            switch wanted {
            case .get: break
            case .head: try set(CURLOPT_NOBODY, 1)
            case .upload: try set(CURLOPT_UPLOAD, 1)
            }
            // To TLS even a head goes through this buffer, which libcurl allocates for each request.
            try set(CURLOPT_UPLOAD_BUFFERSIZE, hasBody ? 128 * 1024 : 16 * 1024)
            shape = wanted
        }
        if hasBody {
            // With a size libcurl sends a length, without one the client's own chunked: never both.
            var size: curl_off_t = -1
            if case .length(let length) = request.framing, !request.upgrade {
                guard let length = curl_off_t(exactly: length) else {
                    throw UpstreamError(.internal, "The body is longer than libcurl can send.")
                }
                size = length
            }
            try check(ccurl_set_offset(raw, CURLOPT_INFILESIZE_LARGE, size), CURLOPT_INFILESIZE_LARGE)
        }
        // GET and HEAD name themselves; everything else is spelled out.
        let isImplied = (wanted == .get && request.method == .get) || wanted == .head
        if isImplied {
            if !method.isEmpty {
                try set(CURLOPT_CUSTOMREQUEST, nil)
                method = []
            }
        } else if method != request.methodBytes {
            try set(CURLOPT_CUSTOMREQUEST, bytes: request.methodBytes)
            method = request.methodBytes
        }
    }
}
