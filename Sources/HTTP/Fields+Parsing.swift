extension Fields {
    /// Adds the field at `line` of `source`.
    mutating func append(_ line: FieldLine, of source: Span<UInt8>) {
        add(line, of: source, shiftedBy: bytes.count - line.line.lowerBound)
        bytes.append(source.extracting(line.line))
        endLine()
    }

    /// Adds the field at `line` of `source`, whose bytes `keep` brings later: lines that stand one behind the other
    /// from `base` on are copied together. There were no fields before.
    @inline(__always)
    mutating func note(_ line: FieldLine, of source: Span<UInt8>, base: Int) {
        add(line, of: source, shiftedBy: -base)
    }

    /// Brings the bytes of lines that were noted, with their line ends.
    mutating func keep(_ lines: Range<Int>, of source: Span<UInt8>) {
        if !lines.isEmpty { bytes.append(source.extracting(lines)) }
    }

    /// Lengthens the value of the field that was added last: a folded line, which one space takes the place of
    /// (RFC 9112 §5.2).
    mutating func extendLast(with more: Span<UInt8>) {
        guard let last = entries.last, Int(last.lineEnd) + 2 == bytes.count, more.count > 0 else { return }
        bytes.removeLast(bytes.count - Int(last.valueEnd))
        bytes.append(0x20)
        if last.valueStart == last.valueEnd { entries[entries.count - 1].valueStart = Int32(bytes.count) }
        bytes.append(more)
        entries[entries.count - 1].valueEnd = Int32(bytes.count)
        entries[entries.count - 1].lineEnd = Int32(bytes.count)
        endLine()
    }

    @inline(__always)
    mutating func endLine() {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
    }

    @inline(__always)
    private mutating func add(_ line: FieldLine, of source: Span<UInt8>, shiftedBy shift: Int) {
        let known = KnownField(source.extracting(line.line.lowerBound..<line.nameEnd))
        note(known)
        entries.append(
            Entry(
                start: Int32(truncatingIfNeeded: line.line.lowerBound + shift),
                nameEnd: Int32(truncatingIfNeeded: line.nameEnd + shift),
                valueStart: Int32(truncatingIfNeeded: line.value.lowerBound + shift),
                valueEnd: Int32(truncatingIfNeeded: line.value.upperBound + shift),
                lineEnd: Int32(truncatingIfNeeded: line.line.upperBound + shift),
                known: known))
    }
}
