/// Header or trailer fields in their order, with every byte of name and value as it came.
///
/// One array of bytes, in which every line stands with its CRLF, and one of small entries; both are used again after
/// `removeAll()`. A changed line is written anew behind the others, so a head is changed a few times, not thousands.
public struct Fields: Sendable {
    struct Entry: Sendable {
        var start: Int32
        var nameEnd: Int32
        var valueStart: Int32
        var valueEnd: Int32
        /// With the blanks after the value, without the CRLF that follows.
        var lineEnd: Int32
        var known: KnownField
    }

    var bytes: [UInt8] = []
    var entries: [Entry] = []
    /// A bit for each known name that is, or was, among the fields: most look-ups end here.
    private var seen: UInt64 = 0

    public init() {}

    public var count: Int { entries.count }

    /// The name as it was written.
    @_lifetime(borrow self)
    public func name(_ index: Int) -> Span<UInt8> {
        let entry = entries[index]
        return bytes.span.extracting(Int(entry.start)..<Int(entry.nameEnd))
    }

    /// The value without the blanks around it.
    @_lifetime(borrow self)
    public func value(_ index: Int) -> Span<UInt8> {
        let entry = entries[index]
        return bytes.span.extracting(Int(entry.valueStart)..<Int(entry.valueEnd))
    }

    /// `Name:  value` exactly as it came, without the line end.
    @_lifetime(borrow self)
    public func line(_ index: Int) -> Span<UInt8> {
        let entry = entries[index]
        return bytes.span.extracting(Int(entry.start)..<Int(entry.lineEnd))
    }

    public func known(_ index: Int) -> KnownField { entries[index].known }

    /// The first field of this name at or after `from`.
    public func index(of known: KnownField, from: Int = 0) -> Int? {
        guard mayContain(known) else { return nil }
        var index = from
        while index < entries.count {
            if entries[index].known == known { return index }
            index += 1
        }
        return nil
    }

    /// The first field whose name is `lower` (given in lower case), whatever its case here.
    public func index(ofName lower: StaticString, from: Int = 0) -> Int? {
        var index = from
        while index < entries.count {
            if name(index).equalsIgnoringCase(lower) { return index }
            index += 1
        }
        return nil
    }

    /// Whether more than one field has this name.
    public func isRepeated(_ known: KnownField) -> Bool {
        guard let first = index(of: known) else { return false }
        return index(of: known, from: first + 1) != nil
    }

    /// Forgets all fields and keeps the memory, unless it is far more than heads usually need: whoever once sent a huge
    /// head would else keep that much from everybody for good.
    public mutating func removeAll() {
        if bytes.capacity > Self.keptBytes { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        if entries.capacity > Self.keptEntries { entries = [] } else { entries.removeAll(keepingCapacity: true) }
        seen = 0
    }

    static let keptBytes = 16 * 1024
    static let keptEntries = 256

    // MARK: For parsers and editors

    /// Whether any field may have one of these names; false is certain.
    @inline(__always)
    func mayContain(_ known: KnownField) -> Bool { seen & (1 << UInt64(known.rawValue)) != 0 }

    @inline(__always)
    mutating func note(_ known: KnownField) { seen |= 1 << UInt64(known.rawValue) }
}
