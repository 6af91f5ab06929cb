/// A URI scheme that is forwarded.
public enum Scheme: Sendable, Hashable {
    case http, https

    /// 80 or 443 (RFC 9110 §4.2).
    public var defaultPort: UInt16 { self == .http ? 80 : 443 }
}

/// A request method (RFC 9110 §9); case matters. What is none of these is `other`, and its bytes say what it is.
public enum Method: Sendable, Hashable {
    case get, head, post, put, delete, options, trace, connect, patch, other

    /// The method that these bytes name.
    public init(_ bytes: Span<UInt8>) {
        switch bytes.count {
        case 3 where bytes.equals("GET"): self = .get
        case 3 where bytes.equals("PUT"): self = .put
        case 4 where bytes.equals("POST"): self = .post
        case 4 where bytes.equals("HEAD"): self = .head
        case 5 where bytes.equals("PATCH"): self = .patch
        case 5 where bytes.equals("TRACE"): self = .trace
        case 6 where bytes.equals("DELETE"): self = .delete
        case 7 where bytes.equals("OPTIONS"): self = .options
        case 7 where bytes.equals("CONNECT"): self = .connect
        default: self = .other
        }
    }
}

/// A protocol version (RFC 9112 §2.3). A higher minor version is treated as 1.1.
public enum HTTPVersion: Sendable, Hashable {
    case http10, http11

    /// `1.0` or `1.1`.
    public var text: StaticString { self == .http10 ? "1.0" : "1.1" }
}

/// Where a request's body ends (RFC 9112 §6).
public enum BodyFraming: Sendable, Hashable {
    case none
    /// So many bytes; 0 where the client said so.
    case length(UInt64)
    case chunked

    /// Whether any byte of a body can follow.
    public var hasBody: Bool {
        switch self {
        case .none: false
        case .length(let length): length > 0
        case .chunked: true
        }
    }
}

/// Where a response's body ends (RFC 9112 §6.3).
public enum ResponseFraming: Sendable, Hashable {
    /// HEAD, 1xx, 204, 304.
    case none
    case length(UInt64)
    case chunked
    /// By the end of the connection.
    case untilClose
}
