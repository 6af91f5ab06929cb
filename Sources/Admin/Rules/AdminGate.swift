internal import EventLoop
internal import HTTP
internal import Telemetry

/// Who may ask the admin listener for what. Pure.
///
/// A browser under test can reach loopback: a page can make it send requests there, and with a name of its own that
/// leads to 127.0.0.1 read the answers. So `Host` must be ours, and whatever changes something or shows a secret needs
/// the bearer token, on loopback too.
struct AdminGate: Sendable {
    /// What is listened on.
    let address: ListeningAddress
    let token: Redacted<[UInt8]>

    /// What an operation is, to the gate.
    enum Access: Sendable {
        /// Says no more than yes or no: for probes, which have no way to keep a secret.
        case probe
        case read
        /// Changes something, or shows a secret.
        case write
    }

    /// Nil: the request is meant for this listener.
    func refusalOfHost(_ request: AdminRequest) -> AdminAnswer? {
        if isOurs(request.host) { return nil }
        // Beyond loopback operators go by names that nobody knows here; a page that was led astray has no token to show.
        if !isLocal, isToken(request.authorization) { return nil }
        return AdminAnswer(error: "wrong_host", "Host does not name this listener (\(address))", status: 421)
    }

    /// Nil: may pass.
    func refusal(of request: AdminRequest, _ access: Access) -> AdminAnswer? {
        if let refusal = refusalOfHost(request) { return refusal }
        let isOpen =
            switch access {
            case .probe: true
            case .read: isLocal
            case .write: false
            }
        if !isOpen, !isToken(request.authorization) {
            return AdminAnswer(
                error: "unauthorized", "this needs the admin token: Authorization: Bearer ...", status: 401)
        }
        if !request.body.isEmpty, !Self.isJSON(request.contentType) {
            return AdminAnswer(error: "unsupported_media_type", "a body must be application/json", status: 415)
        }
        return nil
    }

    /// Whether only this machine reaches the listener.
    private var isLocal: Bool {
        guard let ip = address.ip else { return true }
        return ip.isLoopback && !ip.isUnspecified
    }

    /// On loopback: localhost or a loopback address with our port; on a unix socket, with any. Beyond: also any address
    /// with any port, since ports are mapped; never another name, since names can be made to lead anywhere.
    private func isOurs(_ host: String?) -> Bool {
        guard let host, let named = try? Authority(parsing: Array(host.utf8).span, defaultPort: 80) else {
            return false
        }
        let literal = SocketAddress(ip: named.host, port: named.port)
        guard literal != nil || named.host == "localhost" else { return false }
        guard isLocal else { return true }
        return named.port == address.ip?.port ?? named.port && literal?.isLoopback != false
    }

    /// Takes the same time wherever the tokens differ.
    private func isToken(_ authorization: String?) -> Bool {
        let expected = token.reveal()
        guard let authorization, authorization.utf8.count > 7,
            Array(authorization.utf8.prefix(7)).span.equalsIgnoringCase("bearer ")
        else { return false }
        let given = Array(authorization.utf8.dropFirst(7).drop { $0 == 0x20 })
        guard given.count == expected.count, !expected.isEmpty else { return false }
        var difference: UInt8 = 0
        for index in expected.indices { difference |= given[index] ^ expected[index] }
        return difference == 0
    }

    private static func isJSON(_ type: String?) -> Bool {
        guard let type else { return false }
        let name = Array(type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 })
        return name.span.equalsIgnoringCase("application/json")
    }
}
