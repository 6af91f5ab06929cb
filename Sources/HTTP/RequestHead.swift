/// A request head, whole and checked. Its buffers are used again by the parser.
public struct RequestHead: Sendable {
    public var method = Method.get
    /// The method as it was written.
    public var methodBytes: [UInt8] = []
    /// The target as it was written.
    public var targetBytes: [UInt8] = []
    public var target = RequestTarget.origin
    public var version = HTTPVersion.http11
    public var fields = Fields()
    public var framing = BodyFraming.none
    /// Whether the client wants the connection kept (RFC 9112 §9.3).
    public var keepAlive = false
    /// `Expect: 100-continue` (RFC 9110 §10.1.1).
    public var expectsContinue = false
    /// `Upgrade: websocket` in a GET that may be upgraded (RFC 6455 §4.1).
    public var upgradesToWebSocket = false

    public init() {}

    /// Path and query of the target; the whole target where it is in another form than origin or absolute.
    public var pathBytes: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            if case .absolute(_, _, let path) = target { return targetBytes.span.extracting(path) }
            return targetBytes.span
        }
    }

    /// Writes the target in the form that an origin gets (RFC 9112 §3.2.1, §3.2.4) into `out`.
    public func writeOriginForm(into out: inout [UInt8]) {
        out.removeAll(keepingCapacity: true)
        let path = pathBytes
        if path.count == 0 {
            out.append(method == .options ? UInt8(ascii: "*") : UInt8(ascii: "/"))
        } else if path[0] == UInt8(ascii: "?") {
            out.append(UInt8(ascii: "/"))
        }
        out.append(path)
    }

    /// A CORS preflight (Fetch Standard, "CORS-preflight request").
    public var isPreflight: Bool {
        method == .options && fields.index(of: .accessControlRequestMethod) != nil
    }

    /// Forgets the request before: a head that is refused halfway says nothing of another one.
    mutating func reset() {
        method = .other
        methodBytes.removeAll(keepingCapacity: true)
        targetBytes.removeAll(keepingCapacity: true)
        target = .origin
        version = .http11
        fields.removeAll()
        framing = .none
        keepAlive = false
        expectsContinue = false
        upgradesToWebSocket = false
    }
}
