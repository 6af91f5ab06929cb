/// Names and values given here must be valid as they are (RFC 9110 §5): nothing checks them.
extension Fields {
    /// Adds a field at the end.
    public mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        let entry = store(KnownField(name), { $0.append(name) }, { $0.append(value) })
        entries.append(entry)
    }

    /// Adds a field at the end.
    public mutating func append(_ name: StaticString, _ value: String) {
        append(name) { $0.append(contentsOf: value.utf8) }
    }

    /// Adds a field before the one at `index`, or at the end where `index` is the count.
    public mutating func insert(name: StaticString, value: Span<UInt8>, at index: Int) {
        let entry = store(KnownField(constant: name), { $0.append(name) }, { $0.append(value) })
        entries.insert(entry, at: index)
    }

    /// Adds a field before the one at `index`, or at the end where `index` is the count.
    public mutating func insert(name: Span<UInt8>, value: Span<UInt8>, at index: Int) {
        let entry = store(KnownField(name), { $0.append(name) }, { $0.append(value) })
        entries.insert(entry, at: index)
    }

    /// Gives the field another value; its name and place stay, and the blanks before the value.
    public mutating func replaceValue(at index: Int, with value: Span<UInt8>) {
        replaceValue(at: index) { $0.append(value) }
    }

    public mutating func remove(at index: Int) { entries.remove(at: index) }

    /// Removes every field of this name.
    public mutating func removeAll(_ known: KnownField) {
        guard index(of: known) != nil else { return }
        entries.removeAll { $0.known == known }
    }

    /// Makes `Host` say `authority`: in its place, or as the first field where there was none.
    public mutating func setHost(_ authority: Span<UInt8>) {
        guard let place = index(of: .host) else { return insert(name: "Host", value: authority, at: 0) }
        let isSaidAlready = value(place).equals(authority)
        if !isSaidAlready { replaceValue(at: place, with: authority) }
        removeAll(.host, except: place)
    }

    /// Removes every field of this name except the one at `index`.
    mutating func removeAll(_ known: KnownField, except index: Int) {
        var position = entries.count - 1
        while position >= 0 {
            if position != index, entries[position].known == known { entries.remove(at: position) }
            position -= 1
        }
    }

    /// Adds a field at the end, whose value `write` appends.
    @inline(__always)
    mutating func append(_ name: StaticString, _ write: (inout [UInt8]) -> Void) {
        let entry = store(KnownField(constant: name), { $0.append(name) }, write)
        entries.append(entry)
    }

    /// Gives the field the value that `write` appends.
    @inline(__always)
    mutating func replaceValue(at index: Int, _ write: (inout [UInt8]) -> Void) {
        let old = entries[index]
        let start = bytes.count
        for position in Int(old.start)..<Int(old.valueStart) { bytes.append(bytes[position]) }
        let valueStart = bytes.count
        write(&bytes)
        let shift = Int32(truncatingIfNeeded: start) - old.start
        entries[index].start += shift
        entries[index].nameEnd += shift
        entries[index].valueStart = Int32(truncatingIfNeeded: valueStart)
        entries[index].valueEnd = Int32(truncatingIfNeeded: bytes.count)
        entries[index].lineEnd = Int32(truncatingIfNeeded: bytes.count)
        endLine()
    }

    @inline(__always)
    private mutating func store(
        _ known: KnownField, _ name: (inout [UInt8]) -> Void, _ value: (inout [UInt8]) -> Void
    ) -> Entry {
        note(known)
        let start = bytes.count
        name(&bytes)
        let nameEnd = bytes.count
        bytes.append(UInt8(ascii: ":"))
        bytes.append(0x20)
        let valueStart = bytes.count
        value(&bytes)
        let end = Int32(truncatingIfNeeded: bytes.count)
        endLine()
        return Entry(
            start: Int32(truncatingIfNeeded: start), nameEnd: Int32(truncatingIfNeeded: nameEnd),
            valueStart: Int32(truncatingIfNeeded: valueStart), valueEnd: end, lineEnd: end, known: known)
    }
}

extension KnownField {
    /// The field that a constant names, whatever its case.
    init(constant name: StaticString) {
        self.init(Span(_unsafeElements: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)))
    }
}
