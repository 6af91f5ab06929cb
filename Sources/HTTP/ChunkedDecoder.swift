/// Takes the chunked coding off a body (RFC 9112 §7.1), strictly, however the bytes are cut.
public struct ChunkedDecoder: Sendable {
    private enum State: Sendable {
        case size(digits: Int)
        case chunkExtension
        case sizeEnd
        case data
        case dataCR, dataLF
        case trailerLine
        case finished
    }

    private var state = State.size(digits: 0)
    private var left: UInt64 = 0
    private var extensionBytes = 0
    private var line: [UInt8] = []
    private var trailerBytes = 0
    /// The fields after the last chunk; whole when finished.
    public private(set) var trailers = Fields()

    /// Extensions of all chunks together, in bytes.
    static let maxExtensionBytes = 16 * 1024
    static let maxTrailerBytes = 64 * 1024
    static let maxTrailers = 200

    public init() {}

    public var isFinished: Bool { if case .finished = state { true } else { false } }

    /// Hands the body's bytes to `sink`, in order. Returns how many bytes were used: all, up to the end of the body.
    public mutating func decode(_ bytes: Span<UInt8>, _ sink: (Span<UInt8>) -> Void) throws(HTTPError)
        -> Int
    {
        var index = 0
        while index < bytes.count {
            switch state {
            case .finished:
                return index
            case .data:
                let count = Int(min(left, UInt64(bytes.count - index)))
                sink(bytes.extracting(index..<(index + count)))
                index += count
                left -= UInt64(count)
                if left == 0 { state = .dataCR }
            default:
                try step(bytes[index])
                index += 1
            }
        }
        return index
    }

    private mutating func step(_ byte: UInt8) throws(HTTPError) {
        switch state {
        case .size(let digits):
            try sizeByte(byte, digits)
        case .chunkExtension:
            if byte == UInt8(ascii: "\r") {
                state = .sizeEnd
            } else {
                guard ByteKind.of(byte).contains(.fieldValue) else {
                    throw HTTPError(byte == UInt8(ascii: "\n") ? .bareLineFeed : .controlByte)
                }
                extensionBytes += 1
                guard extensionBytes <= Self.maxExtensionBytes else {
                    throw HTTPError(.chunkExtensionTooLong)
                }
            }
        case .sizeEnd:
            guard byte == UInt8(ascii: "\n") else { throw HTTPError(.malformedChunkSize) }
            state = left == 0 ? .trailerLine : .data
        case .dataCR:
            guard byte == UInt8(ascii: "\r") else { throw HTTPError(.chunkNotEnded) }
            state = .dataLF
        case .dataLF:
            guard byte == UInt8(ascii: "\n") else { throw HTTPError(.chunkNotEnded) }
            state = .size(digits: 0)
        case .trailerLine:
            try trailerByte(byte)
        case .data, .finished:
            preconditionFailure("bytes of data and after the end are no steps")
        }
    }

    private mutating func sizeByte(_ byte: UInt8, _ digits: Int) throws(HTTPError) {
        if let digit = Self.hexDigit(byte) {
            if digits == 0 { left = 0 }
            guard left <= UInt64(Int64.max) >> 4, digits < 32 else { throw HTTPError(.chunkTooLarge) }
            left = left << 4 | UInt64(digit)
            state = .size(digits: digits + 1)
            return
        }
        guard digits > 0 else { throw HTTPError(.malformedChunkSize) }
        switch byte {
        case UInt8(ascii: ";"): state = .chunkExtension
        case UInt8(ascii: "\r"): state = .sizeEnd
        case UInt8(ascii: "\n"): throw HTTPError(.bareLineFeed)
        default: throw HTTPError(.malformedChunkSize)
        }
    }

    private mutating func trailerByte(_ byte: UInt8) throws(HTTPError) {
        line.append(byte)
        trailerBytes += 1
        guard trailerBytes <= Self.maxTrailerBytes else { throw HTTPError(.trailerTooLarge) }
        guard byte == UInt8(ascii: "\n") else { return }
        guard trailers.count < Self.maxTrailers || line.count == 2 else { throw HTTPError(.trailerTooLarge) }
        // Taken out of `self` for the time, so that `trailers` can be written while it is read.
        var whole: [UInt8] = []
        swap(&whole, &line)
        if try !FieldLine.append(trailer: whole.span, to: &trailers) { state = .finished }
        whole.removeAll(keepingCapacity: true)
        swap(&whole, &line)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
