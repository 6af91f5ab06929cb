/// What a byte may be part of, looked up in one table of 256 entries.
struct ByteKind: OptionSet {
    let rawValue: UInt8

    /// tchar (RFC 9110 §5.6.2): methods, field names.
    static let token = ByteKind(rawValue: 1)
    /// Allowed in a field value: HTAB, SP, VCHAR, obs-text (RFC 9110 §5.5).
    static let fieldValue = ByteKind(rawValue: 2)
    /// Allowed in a request target here: anything but controls, SP and DEL. Wider than RFC 3986, because origins are
    /// tested with what real clients send.
    static let target = ByteKind(rawValue: 4)
    static let digit = ByteKind(rawValue: 8)
    /// reg-name of RFC 3986 §3.2.2 without the percent sign, and `_`.
    static let hostName = ByteKind(rawValue: 16)

    @inline(__always)
    static func of(_ byte: UInt8) -> ByteKind { table[Int(byte)] }

    private static let table: [ByteKind] = (0...255).map { (byte: UInt8) in
        var kind: ByteKind = []
        let isAlphanumeric =
            (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a)
            || (byte >= 0x61 && byte <= 0x7a)
        if isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte) { kind.insert(.token) }
        if byte == 0x09 || (byte >= 0x20 && byte != 0x7f) { kind.insert(.fieldValue) }
        if byte > 0x20, byte != 0x7f { kind.insert(.target) }
        if byte >= 0x30, byte <= 0x39 { kind.insert(.digit) }
        if isAlphanumeric || "-._~!$&'()*+,;=".utf8.contains(byte) { kind.insert(.hostName) }
        return kind
    }
}

@inline(__always)
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }

extension Span<UInt8> {
    /// Compares with ASCII text that is given in lower case, whatever the case here.
    public func equalsIgnoringCase(_ lower: StaticString) -> Bool {
        guard count == lower.utf8CodeUnitCount else { return false }
        let other = lower.utf8Start
        for index in 0..<count where lowercased(self[index]) != other[index] { return false }
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
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, self[index] != byte { index += 1 }
        return index
    }
}

extension [UInt8] {
    /// Appends the bytes of a span.
    @inline(__always)
    public mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends ASCII text.
    public mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal digits.
    public mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
