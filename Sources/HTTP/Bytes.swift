extension Span<UInt8> {
    /// Compares with ASCII text that is given in lower case, whatever the case here.
    @inline(__always)
    public func equalsIgnoringCase(_ lower: StaticString) -> Bool {
        guard count == lower.utf8CodeUnitCount else { return false }
        let other = lower.utf8Start
        var index = 0
        while index < count {
            if lowercased(self[index]) != other[index] { return false }
            index += 1
        }
        return true
    }

    /// Compares ASCII letters without regard to case.
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
}

extension [UInt8] {
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

    /// Appends a number in decimal digits.
    public mutating func append(decimal number: Int) {
        precondition(number >= 0, "only what counts is written")
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
