/// The text of IP addresses (RFC 4291 §2.2, RFC 5952). Zones are refused: they name an interface of another machine.
enum IPLiteral {
    /// Whether `text` is four numbers 0–255 with dots, without leading zeros.
    static func isIPv4(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { Span(_unsafeElements: $0).ipv4(in: 0..<$0.count) != nil }
    }
}

/// Eight groups of sixteen bits.
struct IPv6Address: CustomStringConvertible {
    private var groups: (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16) = (0, 0, 0, 0, 0, 0, 0, 0)

    private subscript(index: Int) -> UInt16 {
        get { withUnsafeBytes(of: groups) { $0.load(fromByteOffset: index * 2, as: UInt16.self) } }
        set {
            withUnsafeMutableBytes(of: &groups) {
                $0.storeBytes(of: newValue, toByteOffset: index * 2, as: UInt16.self)
            }
        }
    }

    /// nil: not an address.
    init?(parsing text: Span<UInt8>) {
        let colon = UInt8(ascii: ":")
        var count = 0
        var gap: Int?
        var index = 0
        if text.count >= 2, text[0] == colon, text[1] == colon {
            gap = 0
            index = 2
        }
        while index < text.count {
            guard count < 8 else { return nil }
            var end = index
            var group: UInt32 = 0
            while end < text.count, end - index < 5, let digit = hexValue(text[end]) {
                group = group << 4 | UInt32(digit)
                end += 1
            }
            if end < text.count, text[end] == UInt8(ascii: ".") {
                guard count <= 6, let quad = text.ipv4(in: index..<text.count) else { return nil }
                self[count] = UInt16(truncatingIfNeeded: quad >> 16)
                self[count + 1] = UInt16(truncatingIfNeeded: quad)
                count += 2
                break
            }
            guard end > index, end - index <= 4 else { return nil }
            self[count] = UInt16(truncatingIfNeeded: group)
            count += 1
            index = end
            if index == text.count { break }
            guard text[index] == colon, index + 1 < text.count else { return nil }
            index += 1
            if text[index] == colon {
                guard gap == nil else { return nil }
                gap = count
                index += 1
            }
        }
        guard let gap else {
            if count == 8 { return }
            return nil
        }
        guard count < 8 else { return nil }
        for offset in 0..<(count - gap) {
            self[7 - offset] = self[count - 1 - offset]
            self[count - 1 - offset] = 0
        }
    }

    /// Lower case, no leading zeros, the longest run of two zero groups or more as `::`; an IPv4 address that is mapped
    /// keeps its dots (RFC 5952 §4, §5).
    var description: String {
        if (0..<5).allSatisfy({ self[$0] == 0 }), self[5] == 0xffff {
            return "::ffff:\(self[6] >> 8).\(self[6] & 255).\(self[7] >> 8).\(self[7] & 255)"
        }
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, self[end] == 0 { end += 1 }
            if end - start > best.count, end - start >= 2 { best = start..<end }
            start = end + 1
        }
        func text(_ range: Range<Int>) -> String {
            range.map { String(self[$0], radix: 16) }.joined(separator: ":")
        }
        return best.isEmpty ? text(0..<8) : "\(text(0..<best.lowerBound))::\(text(best.upperBound..<8))"
    }
}

extension Span<UInt8> {
    /// The address that the range is, in dotted form.
    fileprivate func ipv4(in range: Range<Int>) -> UInt32? {
        var address: UInt32 = 0
        var numbers = 0
        var index = range.lowerBound
        while true {
            let start = index
            var number: UInt32 = 0
            while index < range.upperBound, index - start < 4, isDigit(self[index]) {
                number = number * 10 + UInt32(self[index] - UInt8(ascii: "0"))
                index += 1
            }
            let digits = index - start
            guard (1...3).contains(digits), number <= 255, digits == 1 || self[start] != UInt8(ascii: "0") else {
                return nil
            }
            address = address << 8 | number
            numbers += 1
            if index == range.upperBound { return numbers == 4 ? address : nil }
            guard numbers < 4, self[index] == UInt8(ascii: ".") else { return nil }
            index += 1
        }
    }
}
