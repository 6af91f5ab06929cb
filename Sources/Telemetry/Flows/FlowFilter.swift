/// Which requests of the ring somebody wants to see. Pure.
public struct FlowFilter: Sendable, Equatable {
    /// A verdict, or that there was none.
    public enum VerdictChoice: Sendable, Equatable {
        case unjudged
        case only(Verdict)
    }

    /// A host; with `*.` before it, the names below it. In lower case.
    public var host: String?
    public var verdict: VerdictChoice?
    /// A provider's name; `none` for hosts that nobody listed.
    public var provider: String?
    /// Inclusive bounds of the status.
    public var status: ClosedRange<Int>?
    /// Only those after this number.
    public var since: UInt64?
    /// How many at most.
    public var limit = 100

    /// Everything, a hundred of them.
    public init() {}

    func lets(_ entry: FlowEntry) -> Bool {
        if let host, !matches(host, entry.record.host) { return false }
        switch verdict {
        case nil: break
        case .unjudged: if entry.record.verdict != nil { return false }
        case .only(let wanted): if entry.record.verdict != wanted { return false }
        }
        if let provider, entry.provider ?? "none" != provider { return false }
        if let status, !status.contains(entry.record.status) { return false }
        return true
    }

    private func matches(_ wanted: String, _ host: String) -> Bool {
        guard wanted.hasPrefix("*.") else { return host == wanted }
        return host.utf8.count > wanted.utf8.count - 1 && host.hasSuffix(wanted.dropFirst())
    }
}
