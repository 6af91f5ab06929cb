internal import CCurl
internal import Glibc

extension UpstreamError {
    /// What libcurl's result means (libcurl-errors(3)).
    ///
    /// - Parameters:
    ///   - text: the content of `CURLOPT_ERRORBUFFER`, often empty.
    ///   - systemError: `CURLINFO_OS_ERRNO` of the last failed connect.
    ///   - isConnected: whether the request was about to be sent, or later.
    ///   - hasHead: whether a final response head had come.
    static func from(
        _ result: CURLcode, text: String, systemError: Int, isConnected: Bool, hasHead: Bool
    ) -> UpstreamError {
        let detail = text.isEmpty ? String(cString: curl_easy_strerror(result)) : text
        if hasHead { return UpstreamError(.bodyBroken, detail) }
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_URL_MALFORMAT:
            return UpstreamError(.nameNotFound, detail)
        case CURLE_COULDNT_CONNECT:
            return UpstreamError(connectCode(systemError), detail)
        case CURLE_OPERATION_TIMEDOUT:
            return UpstreamError(isConnected ? .responseTimeout : .connectTimeout, detail)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return UpstreamError(.certificate, detail)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED, CURLE_USE_SSL_FAILED:
            return UpstreamError(.tls, sentence(forTLS: detail))
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
            return UpstreamError(.closedEarly, detail)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            let isRefused = !isConnected || text.contains("certificate required")
            return UpstreamError(isRefused ? .tls : .closedEarly, sentence(forTLS: detail))
        case CURLE_SEND_FAIL_REWIND:
            return UpstreamError(.resendRefused, "The pooled connection died after a part of the body was sent.")
        case CURLE_UNSUPPORTED_PROTOCOL where isConnected:  // libcurl takes what it cannot read for HTTP/0.9
            return UpstreamError(.malformedResponse, "What the origin sent is no HTTP answer.")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_FILESIZE_EXCEEDED:
            return UpstreamError(.malformedResponse, detail)
        case CURLE_OUT_OF_MEMORY where isConnected:  // a header line over libcurl's own 100 KiB
            return UpstreamError(.malformedResponse, "The response head is too large.")
        default:
            return UpstreamError(.internal, "libcurl (\(result.rawValue)): \(detail)")
        }
    }

    /// OpenSSL's text, or what it means to a person where that is known.
    private static func sentence(forTLS text: String) -> String {
        let tooOld = ["alert protocol version", "unsupported protocol", "wrong ssl version"]
        if tooOld.contains(where: { text.contains($0) }) { return "The origin does not speak TLS 1.2 or 1.3." }
        if text.contains("certificate required") {
            return "The origin wants a client certificate (upstream.clientCertificates)."
        }
        if text.contains("wrong version number") { return "The origin does not speak TLS on this port." }
        return text
    }

    private static func connectCode(_ systemError: Int) -> Code {
        switch Int32(truncatingIfNeeded: systemError) {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EACCES, EPERM: .unreachable
        case ETIMEDOUT: .connectTimeout
        default: .refused
        }
    }
}
