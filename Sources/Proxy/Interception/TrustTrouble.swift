internal import HTTP
internal import TLS
internal import Telemetry

/// One client that does not accept the proxy's certificates, and what to set for it.
public struct TrustTrouble: Sendable, Hashable {
    /// How the client told.
    public enum Sign: Sendable, Hashable {
        /// It sent this alert (RFC 8446 §6.2).
        case alert(StaticText)
        /// It left without a word, after it had seen the certificate.
        case silence
        /// It said nothing more, after it had seen the certificate, until the time for a request head was over.
        case timeout
        /// No version, cipher suite or protocol in common; OpenSSL's words.
        case incompatible(String)
        /// What came broke the rules of TLS; OpenSSL's words.
        case malformed(String)
    }

    /// The client's address without its port.
    public let client: String
    public let runtime: ClientRuntime
    public let sign: Sign
    /// The host that it wanted last.
    public var host: String
    /// How often it happened.
    public var count: UInt64
}

/// A constant of ours that can be compared.
public struct StaticText: Sendable, Hashable, CustomStringConvertible {
    public let description: String
    init(_ text: StaticString) { description = "\(text)" }
}

extension TrustTrouble.Sign {
    init(_ error: TLSError) {
        if let alert = error.peerAlert {
            self = .alert(StaticText(alert.name))
        } else if error.code == .truncated {
            self = .silence
        } else {
            self = error.isIncompatible ? .incompatible(error.description) : .malformed(error.description)
        }
    }

    /// Under which name it is counted.
    var counted: ClientTLSMetrics.Trouble {
        switch self {
        case .alert: .untrusted
        case .silence: .closed
        case .timeout: .timeout
        case .incompatible: .version
        case .malformed: .malformed
        }
    }

    /// Whether the client's trust is the likely cause.
    public var isAboutTrust: Bool {
        switch self {
        case .alert, .silence, .timeout: true
        case .incompatible, .malformed: false
        }
    }

    /// One word or sentence part: `unknown_ca`, `silence`, OpenSSL's words.
    public var description: String {
        switch self {
        case .alert(let name): name.description
        case .silence: "silence"
        case .timeout: "timeout"
        case .incompatible(let reason), .malformed(let reason): reason
        }
    }
}

/// Keeps what clients' handshakes tell of their trust: one log line for each client. Any thread.
///
/// What is kept is bounded, since clients choose what they send; when it is full, nothing more is said.
final class TrustTroubles: Sendable {
    static let limit = 256

    private struct Key: Hashable {
        let client: String
        let runtime: ClientRuntime
        let sign: TrustTrouble.Sign
    }

    private let logger: Logger
    private let kept = Lock<[Key: TrustTrouble]>([:])

    init(logger: Logger) { self.logger = logger }

    /// What is kept, the most frequent first.
    var all: [TrustTrouble] {
        kept.withLock { Array($0.values) }.sorted { ($0.count, $1.client) > ($1.count, $0.client) }
    }

    /// `client` is an address with its port.
    func saw(_ sign: TrustTrouble.Sign, client: String, host: String, userAgent: String) {
        let address = client.lastIndex(of: ":").map { String(client[..<$0]) } ?? client
        let runtime = ClientRuntime.guess(userAgent: userAgent)
        let key = Key(client: address, runtime: runtime, sign: sign)
        let isNew = kept.withLock { kept in
            if kept[key] != nil {
                kept[key]?.count += 1
                kept[key]?.host = host
                return false
            }
            guard kept.count < Self.limit else { return false }
            kept[key] = TrustTrouble(client: address, runtime: runtime, sign: sign, host: host, count: 1)
            return true
        }
        if isNew { tell(sign, address, host, runtime, userAgent) }
    }

    private func tell(
        _ sign: TrustTrouble.Sign, _ client: String, _ host: String, _ runtime: ClientRuntime, _ userAgent: String
    ) {
        let message: StaticString =
            switch sign {
            case .alert: "a client does not trust the proxy's authority"
            case .silence, .timeout:
                "a client ended the TLS handshake after it saw the certificate; it may not trust the authority"
            case .incompatible, .malformed: "a client's TLS handshake failed"
            }
        var metadata: [(StaticString, LogValue)] = [
            ("client", .string(client)), ("host", .string(host)), ("sign", .string(sign.description)),
        ]
        if !userAgent.isEmpty { metadata.append(("user_agent", .string(userAgent))) }
        if sign.isAboutTrust {
            metadata += [("runtime", .string(runtime.name)), ("set", .string(runtime.remedy))]
        }
        logger.warning(message, metadata)
    }
}
