/// What the access log says of one request. Query strings, header values, credentials and tokens have no place in it.
///
/// Plain data, filled by the connection that serves the request and reused for its next one (`reset()`), so that a
/// request costs no allocation here. Texts may come from outside as they are: they are escaped when written.
public struct AccessRecord: Sendable {
    /// Number of the request within this process; written in hexadecimal.
    public var requestID: UInt64 = 0
    /// Address and port of the client.
    public var client = ""
    /// `http`, `https`, or nil for a tunnel.
    public var scheme: StaticString?
    /// The host that is dialled, IPv6 without brackets.
    public var host = ""
    /// The port that is dialled.
    public var port: UInt16 = 0
    /// Status sent to the client; 0 if none was.
    public var status = 0
    /// What the answer meant; nil when it was not judged or says nothing.
    public var verdict: Verdict?
    /// Fingerprint of the token that was attached (8 hexadecimal digits), never the token.
    public var token: String?
    /// How often the request was sent again with a newer token.
    public var replays = 0
    /// Body bytes received from the client.
    public var bytesIn: UInt64 = 0
    /// Body bytes sent to the client.
    public var bytesOut: UInt64 = 0
    /// First byte of the request to last byte of the answer, in microseconds.
    public var durationMicroseconds: UInt64 = 0
    /// Time the upstream took for the head of its last answer, in microseconds; nil if it was never asked.
    public var upstreamMicroseconds: UInt64?
    /// Reason code or error name; nil if all went well.
    public var error: String?

    /// As the client spelled it, at most as much as is shown.
    public private(set) var method: [UInt8] = []
    /// Path of the target without its query, at most as much as is shown; empty for a tunnel.
    public private(set) var path: [UInt8] = []

    /// An empty record.
    public init() {}

    /// Makes the record ready for the connection's next request: the client stays, buffers keep their capacity.
    public mutating func reset() {
        requestID = 0
        scheme = nil
        host = ""
        port = 0
        status = 0
        verdict = nil
        token = nil
        replays = 0
        bytesIn = 0
        bytesOut = 0
        durationMicroseconds = 0
        upstreamMicroseconds = nil
        error = nil
        method.removeAll(keepingCapacity: true)
        path.removeAll(keepingCapacity: true)
    }

    /// The method as the client spelled it.
    public mutating func setMethod(_ bytes: Span<UInt8>) {
        method.removeAll(keepingCapacity: true)
        bytes.withUnsafeBufferPointer { method.append(contentsOf: $0.prefix(Self.keptBytes)) }
    }

    /// The path of the target; a query or fragment that follows is left out here.
    public mutating func setPath(_ bytes: Span<UInt8>) {
        path.removeAll(keepingCapacity: true)
        bytes.withUnsafeBufferPointer { bytes in
            let kept = bytes.prefix(Self.keptBytes)
            let end = kept.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? kept.endIndex
            path.append(contentsOf: kept[..<end])
        }
    }

    /// One more than the escaper shows, so that it sees where a text was cut.
    private static let keptBytes = Escaper.defaultLimit + 1
    /// Eight texts of at most 120 characters, each character with a backslash, and names and numbers around them.
    static let longestLine = 8 * 2 * Escaper.defaultLimit + 1024
}
