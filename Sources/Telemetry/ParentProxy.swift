/// A proxy that requests go through on their way to origins. Plain data.
public struct ParentProxy: Sendable, Hashable, CustomStringConvertible {
    /// What it speaks, and over what.
    public enum Kind: String, Sendable {
        /// HTTP in clear text.
        case http
        /// HTTP over TLS; the parent's certificate is verified as an origin's is.
        case https
        /// SOCKS 5 (RFC 1928); the parent looks names up.
        case socks5
    }

    /// Who we are to the parent.
    public struct Credentials: Sendable, Hashable {
        public let user: Redacted<String>
        public let password: Redacted<String>

        public init(user: Redacted<String>, password: Redacted<String>) {
            self.user = user
            self.password = password
        }
    }

    public let kind: Kind
    /// A name or an address literal, IPv6 without brackets.
    public let host: String
    public let port: UInt16
    /// Basic credentials (RFC 7617), for SOCKS 5 those of RFC 1929.
    public var credentials: Credentials?

    public init(kind: Kind, host: String, port: UInt16, credentials: Credentials? = nil) {
        self.kind = kind
        self.host = host
        self.port = port
        self.credentials = credentials
    }

    /// `http://10.0.0.1:3128`, without the credentials.
    public var description: String {
        host.utf8.contains(UInt8(ascii: ":"))
            ? "\(kind.rawValue)://[\(host)]:\(port)" : "\(kind.rawValue)://\(host):\(port)"
    }
}
