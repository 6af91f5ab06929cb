extension Fields {
    /// Adds a field at the end. Name and value must be valid as they are.
    public mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        let start = bytes.count
        bytes.append(name)
        finish(start, value, at: entries.count)
    }

    /// Adds a field at the end. Both texts must be valid as they are.
    public mutating func append(_ name: StaticString, _ value: String) {
        append(name) { $0.append(contentsOf: value.utf8) }
    }

    /// Adds a field at the end whose value `write` appends.
    @inline(__always)
    mutating func append(_ name: StaticString, _ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        bytes.append(name)
        finish(start, at: entries.count, write)
    }

    /// Adds a field before the one at `index`.
    public mutating func insert(name: StaticString, value: Span<UInt8>, at index: Int) {
        let start = bytes.count
        bytes.append(name)
        finish(start, value, at: index)
    }

    /// Gives the field another value; its name and place stay.
    public mutating func replaceValue(at index: Int, with value: Span<UInt8>) {
        let start = copyName(of: index)
        entries[index] = finished(start) { $0.append(value) }
    }

    /// Gives the field another value; its name and place stay.
    mutating func replaceValue(at index: Int, with value: StaticString) {
        let start = copyName(of: index)
        entries[index] = finished(start) { $0.append(value) }
    }

    /// Adds the field at `entry` of `source`.
    mutating func append(_ entry: Entry, of source: Span<UInt8>) {
        let origin = Int(entry.start) - bytes.count
        bytes.append(source.extracting(Int(entry.start)..<Int(entry.lineEnd)))
        add(entry, from: origin)
    }

    /// Lengthens the last field's value (an unfolded line).
    mutating func extendLast(with more: Span<UInt8>) {
        guard !entries.isEmpty, more.count > 0 else { return }
        let index = entries.count - 1
        let old = Int(entries[index].valueStart)..<Int(entries[index].valueEnd)
        let start = copyName(of: index)
        entries[index] = finished(start) { bytes in
            for offset in old { bytes.append(bytes[offset]) }
            if !old.isEmpty { bytes.append(0x20) }
            bytes.append(more)
        }
    }

    private mutating func copyName(of index: Int) -> Int {
        let start = bytes.count
        for offset in entries[index].start..<entries[index].nameEnd { bytes.append(bytes[Int(offset)]) }
        return start
    }

    private mutating func finish(_ start: Int, _ value: Span<UInt8>, at index: Int) {
        let entry = finished(start) { $0.append(value) }
        insert(entry, at: index)
    }

    @inline(__always)
    private mutating func finish(_ start: Int, at index: Int, _ write: (inout [UInt8]) -> Void) {
        let entry = finished(start, write)
        insert(entry, at: index)
    }

    /// The entry for the name that stands at `start`, and the value that `write` puts behind it.
    @inline(__always)
    private mutating func finished(_ start: Int, _ write: (inout [UInt8]) -> Void) -> Entry {
        let nameEnd = bytes.count
        bytes.append(": ")
        let valueStart = bytes.count
        write(&bytes)
        return Entry(
            start: Int32(start), nameEnd: Int32(nameEnd), valueStart: Int32(valueStart), valueEnd: Int32(bytes.count),
            lineEnd: Int32(bytes.count), known: KnownField(bytes.span.extracting(start..<nameEnd)))
    }
}
