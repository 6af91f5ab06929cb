/// Values by host pattern. A look-up is one pass over the host's bytes with at most three probes a label, so its cost
/// does not depend on how many patterns there are; it allocates nothing, except for IPv6 addresses.
///
/// Where several patterns fit, an exact host comes before `*.`, the longer `*.` before the shorter, and then a port that
/// is named before `:*`.
public struct HostTable<Value: Sendable>: Sendable {
    /// Two values lay claim to the same host and port.
    public struct Conflict: Error, Sendable, Hashable, CustomStringConvertible {
        /// The pattern that came second.
        public let pattern: HostPattern
        /// Positions of the two groups, from 0.
        public let groups: [Int]

        /// One sentence part for a person.
        public var description: String { "\(pattern) is listed twice" }
    }

    private struct Entry: Sendable {
        let hash: UInt64
        let host: [UInt8]
        let isWildcard: Bool
        /// 0 for any.
        let port: UInt16
        let group: Int
    }

    private var entries: [Entry] = []
    /// Open addressing: one more than the entry's index, 0 for a free slot. A power of two, at most half full.
    private var slots: [Int32] = [0, 0]
    private let values: [Value]

    /// No patterns.
    public init() {
        values = []
    }

    /// One group of patterns for each value. A pattern may stand twice in its own group, not in two groups.
    public init(_ groups: [(patterns: [HostPattern], value: Value)]) throws(Conflict) {
        values = groups.map(\.value)
        let count = groups.reduce(0) { $0 + $1.patterns.count * 2 }
        entries.reserveCapacity(count)
        var size = 2
        while size < count * 2 { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
        for (group, patterns) in groups.map(\.patterns).enumerated() {
            for pattern in patterns { try insert(pattern, group) }
        }
    }

    /// Whether there is no pattern.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of the pattern that fits best. `host` is a name in any case, with or without its trailing dot, or an
    /// address without brackets.
    public func lookUp(host: String, port: UInt16) -> Value? {
        guard !entries.isEmpty, let group = bestGroup(host, port) else { return nil }
        return values[group]
    }

    private mutating func insert(_ pattern: HostPattern, _ group: Int) throws(Conflict) {
        let ports: [UInt16] =
            switch pattern.ports {
            case .standard: [443, 80]
            case .one(let port): [port]
            case .any: [0]
            }
        let host = Array(pattern.host.utf8)
        var hasher = SuffixHash()
        for byte in host.reversed() { hasher.append(byte) }
        for port in ports {
            if let existing = probe(hasher.value, host.span, pattern.isWildcard, port) {
                guard existing == group else {
                    throw Conflict(pattern: pattern, groups: [existing, group])
                }
                continue
            }
            entries.append(
                Entry(hash: hasher.value, host: host, isWildcard: pattern.isWildcard, port: port, group: group))
            var slot = Self.slot(hasher.value, pattern.isWildcard, port) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(entries.count)
        }
    }

    /// Walks the host from its end; at each dot the part after it may be the base of a `*.`.
    private func bestGroup(_ host: String, _ port: UInt16) -> Int? {
        let spelled = AddressText.canonicalIPv6(host) ?? host
        let bytes = spelled.utf8.span
        var end = bytes.count
        if end > 1, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        var hasher = SuffixHash()
        var best: Int?
        var index = end
        while index > 0 {
            index -= 1
            let byte = asciiLowercased(bytes[index])
            if byte == UInt8(ascii: "."), index > 0 {
                best = find(hasher.value, bytes.extracting((index + 1)..<end), isWildcard: true, port) ?? best
            }
            hasher.append(byte)
        }
        return find(hasher.value, bytes.extracting(0..<end), isWildcard: false, port) ?? best
    }

    private func find(_ hash: UInt64, _ host: Span<UInt8>, isWildcard: Bool, _ port: UInt16) -> Int? {
        probe(hash, host, isWildcard, port) ?? probe(hash, host, isWildcard, 0)
    }

    private func probe(_ hash: UInt64, _ host: Span<UInt8>, _ isWildcard: Bool, _ port: UInt16) -> Int? {
        var slot = Self.slot(hash, isWildcard, port) & (slots.count - 1)
        while slots[slot] != 0 {
            // Field by field: copying an entry would count references to its host.
            let index = Int(slots[slot]) - 1
            if entries[index].hash == hash, entries[index].port == port, entries[index].isWildcard == isWildcard,
                matches(entries[index].host, host)
            {
                return entries[index].group
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func matches(_ known: borrowing [UInt8], _ host: Span<UInt8>) -> Bool {
        guard known.count == host.count else { return false }
        for index in 0..<host.count where asciiLowercased(host[index]) != known[index] { return false }
        return true
    }

    private static func slot(_ hash: UInt64, _ isWildcard: Bool, _ port: UInt16) -> Int {
        var mixed = hash ^ UInt64(port) << 32 ^ (isWildcard ? 0x9e37_79b9 : 0)
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        return Int(truncatingIfNeeded: mixed ^ (mixed >> 29)) & .max
    }
}

extension HostTable {
    /// Whether `host` fits a pattern, on whatever port: for telling that a listed host came on a port that is not.
    /// Looks at every pattern; not for the request path.
    public func lists(host: String) -> Bool {
        let bytes = Array(HostPattern.canonicalHost(host).utf8)
        return entries.contains { entry in
            guard entry.isWildcard else { return entry.host == bytes }
            return bytes.count > entry.host.count + 1 && bytes.suffix(entry.host.count).elementsEqual(entry.host)
                && bytes[bytes.count - entry.host.count - 1] == UInt8(ascii: ".")
        }
    }
}

/// FNV-1a over a host's bytes from its last to its first, so that each suffix's hash is met on the way. The patterns are
/// the operator's, so nobody can make them collide.
private struct SuffixHash {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func append(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
}
