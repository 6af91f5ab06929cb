/// The pairs of one cookie string. A pair ends at `;`, one space after it belongs to the separator; quotes have no
/// meaning.
enum CookiePairs {
    static func contains(_ name: StaticString, in value: Span<UInt8>) -> Bool {
        var start = 0
        while true {
            let pair = pair(at: start, of: value)
            if isNamed(name, value, pair) { return true }
            if pair.upperBound == value.count { return false }
            start = next(after: pair, of: value)
        }
    }

    /// Appends all other pairs with the separators between them, byte for byte. The separator after a deleted pair goes
    /// with it; for the last one it is that before it.
    static func append(allBut name: StaticString, of value: Span<UInt8>, to out: inout [UInt8]) {
        var separator = 0..<0
        var start = 0
        while true {
            let pair = pair(at: start, of: value)
            start = next(after: pair, of: value)
            if !isNamed(name, value, pair) {
                out.append(value.extracting(separator))
                out.append(value.extracting(pair))
                separator = pair.upperBound..<start
            }
            if pair.upperBound == value.count { return }
        }
    }

    private static func pair(at start: Int, of value: Span<UInt8>) -> Range<Int> {
        start..<value.firstIndex(of: UInt8(ascii: ";"), in: start..<value.count)
    }

    /// Where the pair after this one begins.
    private static func next(after pair: Range<Int>, of value: Span<UInt8>) -> Int {
        let next = min(pair.upperBound + 1, value.count)
        return next < value.count && value[next] == 0x20 ? next + 1 : next
    }

    /// Blanks around a name are no part of it for servers that read cookies, so they hide no pair from us.
    private static func isNamed(_ name: StaticString, _ value: Span<UInt8>, _ pair: Range<Int>) -> Bool {
        let end = value.firstIndex(of: UInt8(ascii: "="), in: pair)
        return value.extracting(value.trimmed(pair.lowerBound..<end)).equals(name)
    }
}
