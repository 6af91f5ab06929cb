internal import EventLoop
internal import HTTP
internal import Telemetry

/// The client's side of SOCKS 5 (RFC 1928, RFC 1929) without I/O: bytes in, bytes out, until the way is open.
struct SOCKS5: ParentHandshake {
    private enum State {
        case greeting, authentication, connecting
    }

    private let parent: ParentProxy
    private let target: Authority
    private var state = State.greeting

    /// `target` is what the parent connects; a name is looked up by it.
    init(parent: ParentProxy, target: Authority) {
        self.parent = parent
        self.target = target
    }

    func begin() -> [UInt8] { parent.credentials == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    mutating func take(_ input: Span<UInt8>) throws(UpstreamError) -> HandshakeStep {
        switch state {
        case .greeting:
            guard input.count >= 2 else { return .needsInput }
            try check(input[0] == 5)
            switch (input[1], parent.credentials) {
            case (0, _):
                return connect(after: 2)
            case (2, let credentials?):
                state = .authentication
                return .send(try Self.authentication(credentials), taken: 2)
            default:
                throw Self.deniedUs(parent)
            }
        case .authentication:
            guard input.count >= 2 else { return .needsInput }
            guard input[1] == 0 else { throw Self.deniedUs(parent) }
            return connect(after: 2)
        case .connecting:
            guard input.count >= 5 else { return .needsInput }
            try check(input[0] == 5)
            guard input[1] == 0 else { throw Self.refused(parent, reply: input[1]) }
            let length: Int
            switch input[3] {
            case 1: length = 10
            case 3: length = 7 + Int(input[4])
            case 4: length = 22
            default: throw malformed
            }
            return input.count < length ? .needsInput : .done(taken: length)
        }
    }

    private mutating func connect(after taken: Int) -> HandshakeStep {
        state = .connecting
        var request: [UInt8] = [5, 1, 0]
        if let octets = SocketAddress(ip: target.host, port: target.port)?.octets {
            request.append(octets.count == 4 ? 1 : 4)
            request += octets
        } else {
            // An authority's host has at most 255 bytes.
            request += [3, UInt8(truncatingIfNeeded: target.host.utf8.count)] + target.host.utf8
        }
        request += [UInt8(target.port >> 8), UInt8(target.port & 0xff)]
        return .send(request, taken: taken)
    }

    private static func authentication(_ credentials: ParentProxy.Credentials) throws(UpstreamError) -> [UInt8] {
        let (user, password) = (Array(credentials.user.reveal().utf8), Array(credentials.password.reveal().utf8))
        guard (1...255).contains(user.count), (1...255).contains(password.count) else {
            throw UpstreamError(.parentDenied, "SOCKS 5 takes a user and a password of 1 to 255 bytes each.")
        }
        return [1, UInt8(user.count)] + user + [UInt8(password.count)] + password
    }

    private func check(_ isRight: Bool) throws(UpstreamError) {
        if !isRight { throw malformed }
    }

    private var malformed: UpstreamError {
        UpstreamError(.parentRefused, "The parent proxy \(parent) does not speak SOCKS 5 as it should.")
    }

    // MARK: What its refusals mean

    static func deniedUs(_ parent: ParentProxy) -> UpstreamError {
        let sentence = parent.credentials == nil ? "wants credentials" : "does not accept our credentials"
        return UpstreamError(.parentDenied, "The parent proxy \(parent) \(sentence).")
    }

    /// `reply` is the REP of RFC 1928 §6.
    static func refused(_ parent: ParentProxy, reply: UInt8) -> UpstreamError {
        let reason: StaticString =
            switch reply {
            case 1: "general failure"
            case 2: "not allowed by its rules"
            case 3: "network unreachable"
            case 4: "host unreachable"
            case 5: "connection refused"
            case 6: "time to live expired"
            case 7: "CONNECT not supported"
            case 8: "address type not supported"
            default: "unknown reason"
            }
        return UpstreamError(.parentRefused, "The parent proxy \(parent) refused: \(reason).")
    }
}
