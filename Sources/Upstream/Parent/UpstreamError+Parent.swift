internal import CCurl
internal import TLS
internal import Telemetry

extension UpstreamError {
    /// What a failure before the request went out means where a parent stands in between; nil where it is the origin's.
    static func from(_ result: CURLcode, _ parent: ParentProxy, _ handle: EasyHandle) -> UpstreamError? {
        let text = handle.errorDescription
        let detail = text.isEmpty ? String(cString: curl_easy_strerror(result)) : text
        let status = handle.connectStatus
        if status >= 300 { return refused(by: parent, status: status) }
        if handle.isParentHandshake, result == CURLE_PEER_FAILED_VERIFICATION {
            let reason = handle.verification?.reason(askedFor: parent.host) ?? detail
            return UpstreamError(.certificate, "Parent proxy: \(reason)")
        }
        switch result {
        case CURLE_PROXY:
            return refused(by: parent, fault: handle.proxyFault)
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY:
            let error = UpstreamError.from(
                result, text: "", systemError: handle.systemError, isConnected: false, hasHead: false)
            return UpstreamError(error.code, "The parent proxy \(parent) cannot be reached.")
        case CURLE_SSL_CONNECT_ERROR where handle.isParentHandshake:
            return UpstreamError(.tls, "TLS with the parent proxy \(parent) failed: \(detail)")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            guard status == 0, handle.way?.isTunnelled == true else { return nil }
            return UpstreamError(.parentRefused, "The parent proxy \(parent) ended the connection during CONNECT.")
        default:
            return nil
        }
    }

    /// A parent's answer to CONNECT, or its 407 to a request.
    static func refused(by parent: ParentProxy, status: Int) -> UpstreamError {
        guard status == 407 || status == 401 else {
            return UpstreamError(.parentRefused, "The parent proxy \(parent) refused: status \(status).")
        }
        let sentence = parent.credentials == nil ? "wants credentials" : "does not accept our credentials"
        return UpstreamError(.parentDenied, "The parent proxy \(parent) \(sentence): status \(status).")
    }

    /// What a SOCKS parent said, as libcurl tells it.
    private static func refused(by parent: ParentProxy, fault: Int) -> UpstreamError {
        switch CURLproxycode(UInt32(fault)) {
        case CURLPX_NO_AUTH, CURLPX_USER_REJECTED: SOCKS5.deniedUs(parent)
        case CURLPX_REPLY_GENERAL_SERVER_FAILURE: SOCKS5.refused(parent, reply: 1)
        case CURLPX_REPLY_NOT_ALLOWED: SOCKS5.refused(parent, reply: 2)
        case CURLPX_REPLY_NETWORK_UNREACHABLE: SOCKS5.refused(parent, reply: 3)
        case CURLPX_REPLY_HOST_UNREACHABLE: SOCKS5.refused(parent, reply: 4)
        case CURLPX_REPLY_CONNECTION_REFUSED: SOCKS5.refused(parent, reply: 5)
        case CURLPX_REPLY_TTL_EXPIRED: SOCKS5.refused(parent, reply: 6)
        case CURLPX_REPLY_COMMAND_NOT_SUPPORTED: SOCKS5.refused(parent, reply: 7)
        case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED: SOCKS5.refused(parent, reply: 8)
        default: UpstreamError(.parentRefused, "The parent proxy \(parent) does not speak SOCKS 5 as it should.")
        }
    }
}
