/// Header or trailer fields in their order, with every byte of name and value as it came.
///
/// One array of bytes and one of small entries, both used again after `removeAll()`.
public struct Fields: Sendable {
    struct Entry: Sendable {
        var start: Int32
        var nameEnd: Int32
        var valueStart: Int32
        var valueEnd: Int32
        /// With the blanks after the value.
        var lineEnd: Int32
        var known: KnownField
    }

    var bytes: [UInt8] = []
    var entries: [Entry] = []

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

    /// Forgets all fields and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Adds a field at the end.
    public mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        entries.append(store(name: name, value: value))
    }

    /// Adds a field at the end. Both texts must be valid as they are.
    public mutating func append(_ name: StaticString, _ value: String) {
        let value = Array(value.utf8)
        let name = Array(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        append(name: name.span, value: value.span)
    }

    /// Adds a field before the one at `index`.
    public mutating func insert(name: StaticString, value: Span<UInt8>, at index: Int) {
        let name = Array(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        entries.insert(store(name: name.span, value: value), at: index)
    }

    /// Gives the field another value; its name and place stay.
    public mutating func replaceValue(at index: Int, with value: Span<UInt8>) {
        let name = Array(bytes[Int(entries[index].start)..<Int(entries[index].nameEnd)])
        entries[index] = store(name: name.span, value: value)
    }

    public mutating func remove(at index: Int) { entries.remove(at: index) }

    /// Removes every field of this name.
    public mutating func removeAll(_ known: KnownField) {
        guard index(of: known) != nil else { return }
        entries.removeAll { $0.known == known }
    }

    /// Adds the field whose line stands at `line` of `source`; the parser has found its parts.
    mutating func append(
        line: Range<Int>, nameEnd: Int, value: Range<Int>, of source: Span<UInt8>
    ) {
        let shift = bytes.count - line.lowerBound
        bytes.append(source.extracting(line))
        entries.append(
            Entry(
                start: Int32(line.lowerBound + shift), nameEnd: Int32(nameEnd + shift),
                valueStart: Int32(value.lowerBound + shift), valueEnd: Int32(value.upperBound + shift),
                lineEnd: Int32(line.upperBound + shift),
                known: KnownField(source.extracting(line.lowerBound..<nameEnd))))
    }

    /// Lengthens the last field's value (an unfolded line).
    mutating func extendLast(with more: Span<UInt8>) {
        guard !entries.isEmpty else { return }
        let index = entries.count - 1
        var longer = Array(bytes[Int(entries[index].valueStart)..<Int(entries[index].valueEnd)])
        if !longer.isEmpty, more.count > 0 { longer.append(0x20) }
        longer.append(more)
        replaceValue(at: index, with: longer.span)
    }

    private mutating func store(name: Span<UInt8>, value: Span<UInt8>) -> Entry {
        let start = bytes.count
        bytes.append(name)
        let nameEnd = bytes.count
        bytes.append(UInt8(ascii: ":"))
        bytes.append(0x20)
        let valueStart = bytes.count
        bytes.append(value)
        return Entry(
            start: Int32(start), nameEnd: Int32(nameEnd), valueStart: Int32(valueStart),
            valueEnd: Int32(bytes.count),
            lineEnd: Int32(bytes.count), known: KnownField(name))
    }
}
