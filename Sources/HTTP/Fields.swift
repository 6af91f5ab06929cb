/// Header or trailer fields in their order, with every byte of name and value as it came.
///
/// One array of bytes and one of small entries, both used again after `removeAll()`. What is removed or replaced leaves
/// its bytes behind until then.
public struct Fields: Sendable {
    struct Entry: Sendable {
        var start: Int32
        var nameEnd: Int32
        var valueStart: Int32
        var valueEnd: Int32
        /// With the blanks after the value.
        var lineEnd: Int32
        var known: KnownField
        /// Marked for `removeDropped()`.
        var isDropped = false
    }

    var bytes: [UInt8] = []
    var entries: [Entry] = []
    /// Which known names may be among the entries; a name that was removed may still be in it.
    private var present: KnownField.Mask = 0

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
        guard mayContain(known.mask) else { return nil }
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

    /// False: there is none of these names.
    @inline(__always)
    func mayContain(_ mask: KnownField.Mask) -> Bool { present & mask != 0 }

    /// Forgets all fields and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        present = 0
    }

    public mutating func remove(at index: Int) { entries.remove(at: index) }

    /// Removes every field of this name.
    public mutating func removeAll(_ known: KnownField) {
        guard mayContain(known.mask) else { return }
        entries.removeAll { $0.known == known }
    }

    /// Removes the entries that are marked so.
    mutating func removeDropped() { entries.removeAll { $0.isDropped } }

    /// Forgets all fields and takes in the bytes to which entries are added then.
    mutating func begin(with block: Span<UInt8>) {
        removeAll()
        bytes.append(block)
    }

    /// Adds a field whose positions count from `origin`, which is where `bytes` begins.
    @inline(__always)
    mutating func add(_ entry: Entry, from origin: Int) {
        let shift = Int32(origin)
        insert(
            Entry(
                start: entry.start - shift, nameEnd: entry.nameEnd - shift, valueStart: entry.valueStart - shift,
                valueEnd: entry.valueEnd - shift, lineEnd: entry.lineEnd - shift, known: entry.known),
            at: entries.count)
    }

    mutating func insert(_ entry: Entry, at index: Int) {
        present |= entry.known.mask
        if index == entries.count { entries.append(entry) } else { entries.insert(entry, at: index) }
    }
}
