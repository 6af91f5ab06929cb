/// The loops that look at every byte of a head. Their range is checked once, then they read without checks; nothing else
/// in this module does.
extension Span<UInt8> {
    /// The first position in `range` whose byte is not of this kind, or the end of the range.
    @inline(__always)
    func end(of kind: ByteKind, in range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        var index = range.lowerBound
        while index < range.upperBound, ByteKind.of(self[unchecked: index]).contains(kind) { index &+= 1 }
        return index
    }

    /// The first position in `range` whose byte no field value may hold, or the end of the range; eight bytes at a time.
    func endOfFieldValue(in range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return withUnsafeBytes { bytes in
            var index = range.lowerBound
            while index &+ 8 <= range.upperBound {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if Word.hasByte(below: 0x20, word) || Word.hasZero(word ^ Word.each(0x7f)) {
                    // A tab looks like a control byte here.
                    let end = end(of: .fieldValue, in: index..<(index &+ 8))
                    if end < index &+ 8 { return end }
                }
                index &+= 8
            }
            return end(of: .fieldValue, in: index..<range.upperBound)
        }
    }

    /// The first position of `byte` in `range`, or the end of the range; eight bytes at a time.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return withUnsafeBytes { bytes in
            let pattern = Word.each(byte)
            var index = range.lowerBound
            while index &+ 8 <= range.upperBound,
                !Word.hasZero(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ pattern)
            {
                index &+= 8
            }
            while index < range.upperBound, bytes[index] != byte { index &+= 1 }
            return index
        }
    }

    /// The range without blanks (SP, HTAB) at both ends.
    @inline(__always)
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(self[start]) { start &+= 1 }
        while end > start, isBlank(self[end &- 1]) { end &-= 1 }
        return start..<end
    }
}

/// Eight bytes looked at as one number.
private enum Word {
    @inline(__always)
    static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    @inline(__always)
    static func hasZero(_ word: UInt64) -> Bool { (word &- each(1)) & ~word & each(0x80) != 0 }

    /// `limit` is at most 0x80.
    @inline(__always)
    static func hasByte(below limit: UInt8, _ word: UInt64) -> Bool {
        (word &- each(limit)) & ~word & each(0x80) != 0
    }
}
