extension Span<UInt8> {
    /// Compares with ASCII text that is given in lower case, whatever the case here.
    public func equalsIgnoringCase(_ lower: StaticString) -> Bool {
        guard count == lower.utf8CodeUnitCount else { return false }
        let other = lower.utf8Start
        for index in 0..<count where lowercased(self[index]) != other[index] { return false }
        return true
    }

    /// Compares ASCII text whatever the case.
    public func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where lowercased(self[index]) != lowercased(other[index]) { return false }
        return true
    }

    /// Compares byte for byte.
    public func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let other = text.utf8Start
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }

    /// Compares byte for byte.
    public func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }

    /// The range without blanks (SP, HTAB) at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(self[start]) { start += 1 }
        while end > start, isBlank(self[end - 1]) { end -= 1 }
        return start..<end
    }

    /// The first position of `byte` in `range`, or the end of the range.
    public func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, self[index] != byte { index += 1 }
        return index
    }

    /// The first position in `range` of a byte that no field value may have (RFC 9110 §5.5), or the end of the range:
    /// in a head without faults, the next CR.
    ///
    /// Every byte of every head goes through here, eight at a time.
    func firstControl(in range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range of this span")
        return withUnsafeBytes { bytes in
            var index = range.lowerBound
            while index + 8 <= range.upperBound {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                let low = (word &- 0x2020_2020_2020_2020) & ~word
                let noDelete = word ^ 0x7f7f_7f7f_7f7f_7f7f
                let delete = (noDelete &- 0x0101_0101_0101_0101) & ~noDelete
                // The top bit of each byte that is below SP, or DEL. A borrow reaches only bytes above a true one, so
                // the lowest is right.
                let found = (low | delete) & 0x8080_8080_8080_8080
                if found == 0 {
                    index += 8
                } else {
                    index += found.trailingZeroBitCount / 8
                    if bytes[index] != 0x09 { return index }
                    index += 1
                }
            }
            while index < range.upperBound, ByteKind.of(bytes[index]).contains(.text) { index += 1 }
            return index
        }
    }
}

extension [UInt8] {
    /// A copy of the bytes.
    init(copying bytes: Span<UInt8>) {
        self.init()
        append(bytes)
    }

    /// Appends the bytes of a span.
    @inline(__always)
    public mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends ASCII text.
    @inline(__always)
    public mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal digits; it is not negative.
    public mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
