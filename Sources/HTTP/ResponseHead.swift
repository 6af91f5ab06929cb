/// A response head, whole and checked.
public struct ResponseHead: Sendable {
    public var status = 200
    /// The reason phrase as it came; may be empty.
    public var reason: [UInt8] = []
    /// What the origin speaks.
    public var version = HTTPVersion.http11
    public var fields = Fields()
    public var framing = ResponseFraming.none
    /// Whether the origin lets the connection be used again (RFC 9112 §9.3).
    public var keepAlive = false

    public init() {}
}
