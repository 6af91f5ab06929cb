import Telemetry

/// One thing that is wrong with the arguments, variables or file. Its description is one line of printable ASCII and
/// never shows a secret.
public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The setting's key, or what stands in its place.
    public let key: String
    /// Where it was given; nil if it was given nowhere.
    public let origin: Origin?
    /// What is wrong, and what is allowed.
    public let problem: String

    init(_ key: String, _ origin: Origin?, _ problem: String) {
        self.key = Escaper.escape(key)
        self.origin = origin
        self.problem = problem
    }

    /// A value outside of what is allowed. `value` is nil where it must not be shown.
    static func notAllowed(_ key: String, _ origin: Origin?, value: String?, allowed: String) -> Fault {
        let shown = value.map { "\"\(Escaper.escape($0))\"" } ?? "<redacted>"
        return Fault(key, origin, "\(shown) is not allowed; must be \(allowed)")
    }

    /// A name nobody knows, with the nearest that somebody does.
    static func unknown(_ kind: String, _ name: String, _ origin: Origin?, known: some Sequence<String>) -> Fault {
        let nearest = Nearest.name(to: name, among: known)
        let hint = nearest.map { "the nearest is \($0)" } ?? "see `\(Product.name) help`"
        return Fault(name, origin, "unknown \(kind); \(hint)")
    }

    /// `challenge.maxReplays (--max-replays): "5" is not allowed; must be an integer from 0 to 1`
    public var description: String {
        guard let origin, origin.description != key else { return "\(key): \(problem)" }
        return "\(key) (\(origin)): \(problem)"
    }
}
