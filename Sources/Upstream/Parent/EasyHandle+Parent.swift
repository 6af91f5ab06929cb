internal import CCurl
internal import HTTP
internal import Telemetry

/// Telling libcurl about a parent proxy, and asking it what became of one.
extension EasyHandle {
    /// How a request reaches its origin: as the last one did, where that was for the same origin.
    func way(to request: borrowing OutboundRequest) -> Way {
        if let way, isWayForUpgrade == request.upgrade, let origin, origin.scheme == request.scheme,
            origin.authority == request.authority
        {
            return way
        }
        isWayForUpgrade = request.upgrade
        return Way(to: request, client.configuration)
    }

    /// Sets how the origin is reached, where that differs from the last request.
    func setWay(_ new: Way) throws(UpstreamError) {
        if way == new { return }
        way = nil
        if let parent = new.parent {
            let host = parent.host.utf8.contains(UInt8(ascii: ":")) ? "[\(parent.host)]" : parent.host
            // libcurl's word for "the parent looks names up".
            let scheme = parent.kind == .socks5 ? "socks5h" : parent.kind.rawValue
            try set(CURLOPT_PROXY, "\(scheme)://\(host):\(parent.port)")
            let isVerified = client.configuration.verifies(Authority(host: parent.host, port: parent.port))
            try set(CURLOPT_PROXY_SSL_VERIFYPEER, isVerified ? 1 : 0)
            try set(CURLOPT_PROXY_SSL_VERIFYHOST, isVerified ? 2 : 0)
        } else {
            try set(CURLOPT_PROXY, "")
        }
        try set(CURLOPT_PROXYUSERNAME, new.parent?.credentials?.user.reveal())
        try set(CURLOPT_PROXYPASSWORD, new.parent?.credentials?.password.reveal())
        try set(CURLOPT_HTTPPROXYTUNNEL, new.parent != nil && new.isTunnelled ? 1 : 0)
        way = new
    }

    /// What never changes about parents.
    func setParentConstants(_ configuration: UpstreamConfiguration) throws(UpstreamError) {
        try set(CURLOPT_PROXYAUTH, ccurl_auth_basic)
        try set(CURLOPT_SOCKS5_AUTH, ccurl_auth_basic)
        try set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        if let name = configuration.viaName {
            connectFields = curl_slist_append(nil, "Via: 1.1 \(name)")
            try check(ccurl_set_list(raw, CURLOPT_PROXYHEADER, connectFields), CURLOPT_PROXYHEADER)
        }
    }

    /// Status of the parent's answer to CONNECT; 0 where there was none (CURLINFO_HTTP_CONNECTCODE).
    var connectStatus: Int { info(CURLINFO_HTTP_CONNECTCODE) }

    /// libcurl's CURLproxycode (CURLINFO_PROXY_ERROR): what went wrong with a SOCKS parent.
    var proxyFault: Int { info(CURLINFO_PROXY_ERROR) }

    private func info(_ what: CURLINFO) -> Int {
        var value = 0
        return ccurl_get_long(raw, what, &value) == CURLE_OK ? value : 0
    }

    /// Whether the TLS handshake that was last begun is the one with an https parent.
    var isParentHandshake: Bool { way?.parent?.kind == .https && handshakes == 1 }
}
