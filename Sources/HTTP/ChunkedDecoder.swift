/// Takes the chunked coding off a body (RFC 9112 §7.1), strictly, however the bytes are cut.
public struct ChunkedDecoder: Sendable {
    private enum State: Sendable {
        case size
        /// Blanks behind the size: an extension must follow.
        case blank
        case chunkExtension
        case sizeLF
        case data
        case dataCR, dataLF
        case trailers
        case finished
    }

    private var state = State.size
    private var digits = 0
    private var left: UInt64 = 0
    private var extensionBytes = 0
    private var section = TrailerSection()

    /// Extensions of all chunks together, in bytes.
    static let maxExtensionBytes = 16 * 1024
    /// Digits of one size, leading zeros included.
    static let maxDigits = 16

    public init() {}

    public var isFinished: Bool { if case .finished = state { true } else { false } }

    /// The fields after the last chunk; whole when finished.
    public var trailers: Fields { section.fields }

    /// Hands the body's bytes to `sink`, in order, in pieces as large as they come.
    ///
    /// Returns how many bytes were used: all, up to the end of the body. After an error the decoder is of no use; the
    /// framing is lost.
    public mutating func decode(_ bytes: Span<UInt8>, _ sink: (Span<UInt8>) -> Void) throws(HTTPError) -> Int {
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
            case .trailers:
                if try section.take(bytes[index]) { state = .finished }
                index += 1
            default:
                state = try successor(of: state, bytes[index])
                index += 1
            }
        }
        return index
    }

    /// One byte of the lines around the data.
    private mutating func successor(of state: State, _ byte: UInt8) throws(HTTPError) -> State {
        switch state {
        case .size:
            return try sizeByte(byte)
        case .blank:
            try countExtension()
            if isBlank(byte) { return .blank }
            guard byte == UInt8(ascii: ";") else { throw HTTPError(.malformedChunkSize) }
            return .chunkExtension
        case .chunkExtension:
            if byte == UInt8(ascii: "\r") { return .sizeLF }
            guard ByteKind.of(byte).contains(.text) else { throw HTTPError(control: byte) }
            try countExtension()
            return .chunkExtension
        case .sizeLF:
            guard byte == UInt8(ascii: "\n") else { throw HTTPError(.bareCarriageReturn) }
            digits = 0
            return left == 0 ? .trailers : .data
        case .dataCR:
            guard byte == UInt8(ascii: "\r") else { throw HTTPError(.chunkNotEnded) }
            return .dataLF
        case .dataLF:
            guard byte == UInt8(ascii: "\n") else { throw HTTPError(.chunkNotEnded) }
            return .size
        case .data, .trailers, .finished:
            preconditionFailure("data, trailers and what follows are taken elsewhere")
        }
    }

    private mutating func sizeByte(_ byte: UInt8) throws(HTTPError) -> State {
        if let digit = hexValue(byte) {
            digits += 1
            guard digits <= Self.maxDigits, left <= UInt64(Int64.max) >> 4 else { throw HTTPError(.chunkTooLarge) }
            left = left << 4 | UInt64(digit)
            return .size
        }
        guard digits > 0 else { throw HTTPError(.malformedChunkSize) }
        switch byte {
        case UInt8(ascii: ";"), 0x20, 0x09:
            try countExtension()
            return byte == UInt8(ascii: ";") ? .chunkExtension : .blank
        case UInt8(ascii: "\r"): return .sizeLF
        case UInt8(ascii: "\n"): throw HTTPError(.bareLineFeed)
        default: throw HTTPError(.malformedChunkSize)
        }
    }

    private mutating func countExtension() throws(HTTPError) {
        extensionBytes += 1
        guard extensionBytes <= Self.maxExtensionBytes else { throw HTTPError(.chunkExtensionTooLong) }
    }
}
