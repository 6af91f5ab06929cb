internal import HTTP
internal import TLS

/// What a client begins to speak inside a CONNECT, told by its first bytes. Pure.
enum TunnelOpening: Equatable {
    /// Too few bytes to tell.
    case undecided
    case tls(ClientHello)
    /// TLS whose hello cannot be read: the TLS library says what is wrong with it.
    case unreadableTLS
    case http
    /// Anything else (SSH, a protocol of the client's own).
    case other

    /// A request line that is longer is not taken for HTTP.
    private static let longestLine = 64 * 1024
    private static let longestMethod = 32

    static func judge(_ bytes: Span<UInt8>) -> TunnelOpening {
        switch ClientHello.read(bytes) {
        case .incomplete: .undecided
        case .hello(let hello): .tls(hello)
        case .unreadable: .unreadableTLS
        case .notTLS: judgeText(bytes)
        }
    }

    /// HTTP begins with a method, a blank, and ends its first line with its version (RFC 9112 §3): that tells it from
    /// SSH, whose banner begins as a method does.
    private static func judgeText(_ bytes: Span<UInt8>) -> TunnelOpening {
        var index = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: " ") {
            guard index < longestMethod, bytes[index].isMethodByte else { return .other }
            index += 1
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"), in: 0..<bytes.count)
        guard end < bytes.count else { return bytes.count < longestLine ? .undecided : .other }
        let line = bytes.extracting(first: end > 0 && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
        let version = line.extracting(last: min(9, line.count))
        return version.equals(" HTTP/1.1") || version.equals(" HTTP/1.0") ? .http : .other
    }
}

extension UInt8 {
    fileprivate var isMethodByte: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "-")
            || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
    }
}
