/// The fields behind a chunked body (RFC 9112 §7.1.2), bounded and checked like those of a head.
public struct TrailerSection: Sendable {
    public private(set) var fields = Fields()
    private var line: [UInt8] = []
    private var followsCR = false
    private var taken = 0

    static let maxBytes = 65_536
    static let maxFields = 200

    public init() {}

    /// Takes one byte of the section. true: it was the last one.
    mutating func take(_ byte: UInt8) throws(HTTPError) -> Bool {
        taken += 1
        guard taken <= Self.maxBytes else { throw HTTPError(.trailerTooLarge) }
        if followsCR {
            guard byte == UInt8(ascii: "\n") else { throw HTTPError(.bareCarriageReturn) }
            followsCR = false
            if line.isEmpty { return true }
            let whole = line
            line = []
            try Self.add(whole.span, to: &fields)
        } else if byte == UInt8(ascii: "\r") {
            followsCR = true
        } else {
            guard ByteKind.of(byte).contains(.text) else { throw HTTPError(control: byte) }
            line.append(byte)
        }
        return false
    }

    private static func add(_ line: Span<UInt8>, to fields: inout Fields) throws(HTTPError) {
        guard fields.count < maxFields else { throw HTTPError(.trailerTooLarge) }
        let parts = try FieldLine(scanned: 0..<line.count, of: line)
        guard allows(KnownField(line.extracting(0..<parts.nameEnd))) else { throw HTTPError(.forbiddenTrailer) }
        fields.append(parts, of: line)
    }

    /// Whether a field may stand in trailers (RFC 9110 §6.5.1): none that says where the message ends, whom it is for,
    /// how the connection goes on, or who sent it.
    public static func allows(_ field: KnownField) -> Bool {
        switch field {
        case .host, .contentLength, .transferEncoding, .trailer, .te, .connection, .proxyConnection, .keepAlive,
            .upgrade,
            .http2Settings, .expect, .cookie, .setCookie, .authorization, .proxyAuthorization, .proxyAuthenticate,
            .proxyAuthenticationInfo,
            .contentType, .xAwsWafToken, .xAmznWafAction:
            false
        default:
            true
        }
    }
}
