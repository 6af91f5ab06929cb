/// Writes metrics as Prometheus reads them ("Exposition formats", text format 0.0.4). Pure.
///
/// A family is begun once, then its samples follow; every name gets the program's prefix.
public struct MetricsText: Sendable {
    /// What a family's numbers mean.
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// Names and values in the order in which they are written.
    public typealias Labels = [(name: StaticString, value: String)]

    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// What was written so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []
    private let prefix: String
    private var family = ""

    /// `prefix` stands before every name.
    public init(prefix: String) { self.prefix = prefix }

    /// Begins a family; `help` is one line.
    public mutating func family(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        family = "\(prefix)\(name)"
        bytes += "# HELP \(family) \(help)\n# TYPE \(family) \(kind.rawValue)\n".utf8
    }

    /// A number that is whole.
    public mutating func sample(_ value: some BinaryInteger, _ labels: Labels = []) {
        line("", labels, "\(value)")
    }

    /// A number of seconds or another measure.
    public mutating func sample(seconds value: Duration, _ labels: Labels = []) {
        line("", labels, Self.seconds(microseconds: value.wholeMicroseconds))
    }

    /// The lines of a histogram, in seconds.
    public mutating func sample(_ reading: Histogram.Reading, _ labels: Labels = []) {
        for (bound, count) in zip(reading.bounds, reading.cumulative) {
            let bound = Self.seconds(microseconds: Int64(clamping: bound))
            line("_bucket", labels + [("le", bound)], "\(count)")
        }
        line("_bucket", labels + [("le", "+Inf")], "\(reading.count)")
        line("_sum", labels, Self.seconds(microseconds: Int64(clamping: reading.sum)))
        line("_count", labels, "\(reading.count)")
    }

    private mutating func line(_ suffix: StaticString, _ labels: Labels, _ value: String) {
        bytes += "\(family)\(suffix)".utf8
        for (index, label) in labels.enumerated() {
            bytes += "\(index == 0 ? "{" : ",")\(label.name)=\"".utf8
            for byte in label.value.utf8 { append(escaped: byte) }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes += "\(labels.isEmpty ? "" : "}") \(value)\n".utf8
    }

    /// Backslash, quote and line end get a backslash.
    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
        default: bytes.append(byte)
        }
    }

    /// `0.0025`, `30`: as short as it is exact.
    static func seconds(microseconds: Int64) -> String {
        let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = microseconds < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        var digits = "\(1_000_000 + rest)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
