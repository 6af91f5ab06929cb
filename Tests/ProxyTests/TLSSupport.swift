import EventLoop
import HTTP
import TLS
import Upstream

@testable import Proxy

/// An authority that both the proxy's certificates and the origins' come from.
struct TestAuthority: Sendable {
    let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority(name: "test authority", now: Self.now) }

    /// For a name or an address.
    func identity(_ host: String) throws(TLSError) -> TLSIdentity {
        let isAddress = SocketAddress(ip: host, port: 1) != nil
        return try authority.issueLeaf(
            dnsNames: isAddress ? [] : [host], ipAddresses: isAddress ? [host] : [], now: Self.now)
    }

    func interceptor() throws -> Interceptor {
        try Interceptor { host throws(TLSError) in try identity(host) }
    }

    func clientContext(protocols: [String] = []) throws -> TLSContext {
        try TLSContext(trusting: [authority.certificate], protocols: protocols)
    }
}

extension Stream {
    /// Runs a handshake and puts TLS on the stream. Throws what the handshake throws, after its alert went out.
    func startTLS(_ session: TLSSession) async throws {
        while true {
            session.feed(inbound)
            consume(inbound.count)
            defer { session.withOutput { send($0) } }
            if try session.handshake() == .done { break }
            session.withOutput { send($0) }
            guard try await receive(within: .seconds(60)) else { throw StreamError.closed }
        }
        attach(TLSFilter(session))
    }

    /// Asks for a tunnel and gives back the answer's head.
    func openTunnel(to authority: String, _ lines: String...) async -> String? {
        send((["CONNECT \(authority) HTTP/1.1", "Host: \(authority)"] + lines).joined(separator: "\r\n") + "\r\n\r\n")
        return await text(through: "\r\n\r\n")
    }
}
