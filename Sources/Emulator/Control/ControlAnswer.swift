/// What a control call is answered with.
struct ControlAnswer: Sendable, Equatable {
    var status = 200
    var body: JSON
    /// Whether waiting event streams are to look again.
    var releasesEvent = false
}

/// A control call that was refused: 400, or the status that is named.
struct ControlError: Error, Equatable {
    var status = 400
    var detail: String
}

/// Reads the members of a control call's object; whatever is not asked for is refused at the end.
struct ControlArguments {
    private let members: [JSON.Member]
    private var known: Set<String> = []

    init(_ body: JSON) throws(ControlError) {
        guard case .object(let members) = body else { throw ControlError(detail: "the body must be a JSON object") }
        self.members = members
    }

    /// The value of a member: nil where it is absent.
    mutating func value(_ name: String) -> JSON? {
        known.insert(name)
        return members.first { $0.name == name }?.value
    }

    /// An integer in a range: `absent` where the member is absent, `null` where it is null.
    mutating func integer(
        _ name: String, in range: ClosedRange<Int>, absent: Int?, null: Int?
    ) throws(ControlError) -> Int? {
        switch value(name) {
        case nil: return absent
        case .null: return null
        case .integer(let number) where range.contains(number): return number
        // 5.0 is an integer to JavaScript.
        case .number(let number) where Int(exactly: number).map(range.contains) == true: return Int(exactly: number)
        default:
            let bounds = range.upperBound == .max ? "of at least \(range.lowerBound)" : "in \(range)"
            throw ControlError(detail: "\(name) must be an integer \(bounds)")
        }
    }

    mutating func integer(
        _ name: String, in range: ClosedRange<Int>, default fallback: Int, null: Int? = nil
    ) throws(ControlError) -> Int {
        try integer(name, in: range, absent: fallback, null: null ?? fallback) ?? fallback
    }

    mutating func bool(_ name: String, default fallback: Bool) throws(ControlError) -> Bool {
        switch value(name) {
        case nil, .null: return fallback
        case .bool(let flag): return flag
        default: throw ControlError(detail: "\(name) must be true or false")
        }
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, default fallback: Choice?
    ) throws(ControlError) -> Choice where Choice.RawValue == String {
        switch value(name) {
        case nil, .null:
            if let fallback { return fallback }
        case .string(let text):
            if let choice = Choice(rawValue: text) { return choice }
        default: break
        }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ControlError(detail: "\(name) must be one of \(names)")
    }

    /// A host name in lower case, without a trailing dot; nil for null.
    mutating func domain(_ name: String, absent: String?) throws(ControlError) -> String? {
        switch value(name) {
        case nil: return absent
        case .null: return nil
        case .string(let text): return try Self.domain(text, name)
        default: throw ControlError(detail: "\(name) must be a host name")
        }
    }

    mutating func domains(_ name: String, absent: [String], null: [String]) throws(ControlError) -> [String] {
        switch value(name) {
        case nil: return absent
        case .null: return null
        case .array(let elements):
            var domains: [String] = []
            for element in elements {
                guard case .string(let text) = element else {
                    throw ControlError(detail: "\(name) must be a list of host names")
                }
                domains.append(try Self.domain(text, name))
            }
            return domains
        default: throw ControlError(detail: "\(name) must be a list of host names")
        }
    }

    private static func domain(_ text: String, _ name: String) throws(ControlError) -> String {
        var domain = text.lowercased()
        if domain.hasSuffix(".") { domain.removeLast() }
        let isName = domain.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } && !domain.hasPrefix(".")
        guard isName, (1...TokenFormat.maximumDomain).contains(domain.utf8.count) else {
            throw ControlError(detail: "\(name): not a host name")
        }
        return domain
    }

    /// Refuses members that nobody asked for.
    func refuseOthers() throws(ControlError) {
        if let other = members.first(where: { !known.contains($0.name) }) {
            throw ControlError(detail: "unknown member \(other.name); known: \(known.sorted().joined(separator: ", "))")
        }
    }
}
