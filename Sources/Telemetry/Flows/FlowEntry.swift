/// One finished request as the ring keeps it: its log record, and the fields of both heads without the secret ones.
///
/// Plain data with buffers that are used again; filled by the request's own loop, formatted only when somebody reads.
public struct FlowEntry: Sendable {
    /// What the log says of it.
    public var record = AccessRecord()
    /// The provider whose host it was; nil for a host that nobody listed.
    public var provider: String?
    /// When it ended.
    public var ended = WallClock(milliseconds: 0)
    /// Fields of the request as it went out, and of the answer as it was passed on: lines `Name: value` with CRLF.
    public var requestFields = FlowFields()
    public var responseFields = FlowFields()
    /// The beginnings of the bodies, where they are kept at all; nil where one is not shown.
    public var requestBody: [UInt8]?
    public var responseBody: [UInt8]?
    /// Its number in the ring, from 1.
    public internal(set) var id: UInt64 = 0

    /// An empty one.
    public init() {}

    /// Forgets the request, keeps the buffers.
    public mutating func reset() {
        record.reset()
        provider = nil
        requestFields.removeAll()
        responseFields.removeAll()
        requestBody = nil
        responseBody = nil
        id = 0
    }
}

/// Field lines of one head, copied without looking into them. Bounded.
public struct FlowFields: Sendable {
    /// `Name: value` with CRLF, one after the other.
    public private(set) var bytes: [UInt8] = []
    /// Whether some did not fit.
    public private(set) var isCut = false

    /// What one head may take.
    public static let limit = 4096

    public init() {}

    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isCut = false
    }

    /// Lines that are put together before they are kept, as that is done for each request.
    public struct Lines: ~Copyable {
        fileprivate let memory: UnsafeMutableRawBufferPointer
        fileprivate var count = 0
        fileprivate var isCut = false

        /// Adds one line, given without its line end.
        public mutating func append(_ line: Span<UInt8>) {
            let end = count + line.count
            guard end + 2 <= memory.count else {
                isCut = true
                return
            }
            line.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[count..<end]).copyMemory(from: $0) }
            memory[end] = UInt8(ascii: "\r")
            memory[end + 1] = UInt8(ascii: "\n")
            count = end + 2
        }
    }

    /// Keeps the lines that `body` adds, in the place of those that are there.
    public mutating func replace(_ body: (inout Lines) -> Void) {
        bytes.removeAll(keepingCapacity: true)
        withUnsafeTemporaryAllocation(byteCount: Self.limit, alignment: 1) { memory in
            var lines = Lines(memory: memory)
            body(&lines)
            bytes.append(contentsOf: memory[..<lines.count])
            isCut = lines.isCut
        }
    }

    /// Names and values in their order; the value without the blanks around it.
    public var pairs: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return (line, []) }
            let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            return (
                line[..<colon],
                value[..<(value.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? value.startIndex)]
            )
        }
    }
}
