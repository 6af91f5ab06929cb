/// Edits `Cookie` fields (RFC 6265 §4.2): several are joined with `; ` at the place of the first.
public enum CookieHeader {
    /// Ours, `; `, then the rest byte for byte, without any other pair of that name. No field there was: ours goes last.
    public static func set(_ value: Span<UInt8>, named name: StaticString, in fields: inout Fields) {
        guard let first = fields.index(of: .cookie) else {
            return fields.append("Cookie") { write(name, value, into: &$0) }
        }
        let rest = rest(of: fields, without: name)
        fields.replaceValue(at: first) { bytes in
            write(name, value, into: &bytes)
            if !rest.isEmpty {
                bytes.append("; ")
                bytes.append(contentsOf: rest)
            }
        }
        fields.removeAll(.cookie, except: first)
    }

    /// Removes every pair of that name; a field left empty is dropped. Where there is none, nothing is changed.
    public static func remove(_ name: StaticString, from fields: inout Fields) {
        guard let first = fields.index(of: .cookie), isPresent(name, in: fields) else { return }
        let rest = rest(of: fields, without: name)
        if rest.isEmpty {
            fields.removeAll(.cookie)
        } else {
            fields.replaceValue(at: first, with: rest.span)
            fields.removeAll(.cookie, except: first)
        }
    }

    private static func isPresent(_ name: StaticString, in fields: borrowing Fields) -> Bool {
        for index in 0..<fields.count where fields.known(index) == .cookie {
            if CookieString.contains(name, in: fields.value(index)) { return true }
        }
        return false
    }

    private static func write(_ name: StaticString, _ value: Span<UInt8>, into bytes: inout [UInt8]) {
        bytes.append(name)
        bytes.append(UInt8(ascii: "="))
        bytes.append(value)
    }

    private static func rest(of fields: borrowing Fields, without name: StaticString) -> [UInt8] {
        var rest: [UInt8] = []
        for index in 0..<fields.count where fields.known(index) == .cookie {
            CookieString.append(fields.value(index), without: name, to: &rest)
        }
        return rest
    }
}

/// One cookie string: pairs that end at `;`, to which one space after it belongs. Quotes have no meaning.
enum CookieString {
    static func contains(_ name: StaticString, in value: Span<UInt8>) -> Bool {
        var start = 0
        while start < value.count {
            let end = value.firstIndex(of: UInt8(ascii: ";"), in: start..<value.count)
            if isNamed(name, value, start..<end) { return true }
            start = end + 1
        }
        return false
    }

    /// Appends all other pairs with what stands between them, byte for byte; `; ` before them where `kept` has some
    /// already.
    ///
    /// A pair goes together with its following `;` and one space, the last one with its preceding `;` and one space.
    static func append(_ value: Span<UInt8>, without name: StaticString, to kept: inout [UInt8]) {
        kept.reserveCapacity(kept.count + value.count + 2)
        let isFirst = kept.isEmpty
        var hasPair = false
        // The separator behind the pair that was kept last: it stays only where another pair follows.
        var separator = 0..<0
        var start = 0
        while true {
            let end = value.firstIndex(of: UInt8(ascii: ";"), in: start..<value.count)
            var next = min(end + 1, value.count)
            if next < value.count, value[next] == 0x20 { next += 1 }
            if !isNamed(name, value, start..<end) {
                if !hasPair, !isFirst, start < value.count { kept.append("; ") }
                hasPair = true
                kept.append(value.extracting(separator))
                kept.append(value.extracting(start..<end))
                separator = end..<next
            }
            if end == value.count { return }
            start = next
        }
    }

    /// Blanks around a name are no part of it for servers that read cookies, so they hide no pair from us. What has no
    /// `=` is no pair (RFC 6265 §4.1.1).
    private static func isNamed(_ name: StaticString, _ value: Span<UInt8>, _ pair: Range<Int>) -> Bool {
        let end = value.firstIndex(of: UInt8(ascii: "="), in: pair)
        guard end < pair.upperBound else { return false }
        return value.extracting(value.trimmed(pair.lowerBound..<end)).equals(name)
    }
}
