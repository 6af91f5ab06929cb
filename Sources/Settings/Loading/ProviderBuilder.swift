import Telemetry

/// Makes one provider of what was given for it, and checks its settings against each other.
struct ProviderBuilder {
    /// `providers.shop`
    let key: String
    let layers: [Layer]
    /// Where the provider as a whole stands.
    let origin: Origin?
    private var faults: [Fault] = []
    private var origins: [String: Origin] = [:]

    private let needsSource: Bool

    init(name: String, layers: [Layer], origin: Origin?, needsSource: Bool = true) {
        self.key = "providers.\(name)"
        self.layers = layers
        self.origin = origin
        self.needsSource = needsSource
    }

    struct Result {
        let settings: ProviderSettings
        let provenance: [Provenance]
        let faults: [Fault]
    }

    mutating func build(name: String, reader: inout ValueReader) -> Result {
        var draft = ProviderDraft()
        draft.settings.name = name
        var typeOnly = ValueReader(environment: [:], files: reader.files)
        _ = typeOnly.read(Declaration.source.filter { $0.key == "source.type" }, from: layers, into: &draft)
        let selection = SourceSelection(
            layers: layers, explicit: draft.source.type, key: key + ".source", isRequired: needsSource)
        faults += selection.faults
        let known = Declaration.providerSettings.filter { setting in
            let isSource = setting.key.hasPrefix("source.") && setting.key != "source.type"
            return !isSource || (selection.type.map { $0.keys.contains(setting.key) } ?? true)
        }
        let given = layers.map { layer in
            layer.filter { !($0.key.hasPrefix("source.") && $0.value.isNull) }
        }
        origins = reader.read(known, from: given, under: key + ".", into: &draft)
        draft.source.type = selection.type ?? draft.source.type
        origins["source.type"] = selection.decider ?? origins["source.type"]
        finishName(&draft)
        finishProfile(&draft)
        finishSource(&draft, selection.type)
        let shown = known.filter { selection.type != nil || !$0.key.hasPrefix("source.") }
        let provenance = shown.map { setting in
            Provenance(
                key: "\(key).\(setting.key)", value: setting.show(draft), origin: origins[setting.key] ?? .defaultValue)
        }
        return Result(settings: draft.settings, provenance: provenance, faults: faults)
    }

    private mutating func finishName(_ draft: inout ProviderDraft) {
        if origins["hosts"] == nil {
            faults.append(
                Fault(key + ".hosts", origin, "missing; must be \(SettingType.list(of: .hostPattern).allowed)"))
        }
        if draft.domainName == nil, let first = draft.settings.hosts.first, let (host, _) = HostText.split(first) {
            draft.domainName = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
        }
        if let name = draft.domainName, PublicSuffix.contains(name) {
            faults.append(
                .notAllowed(
                    key + ".domainName", origins["domainName"] ?? origins["hosts"], value: name,
                    allowed: "a name that somebody can own, not a public suffix"))
        }
        draft.settings.domainName = draft.domainName ?? ""
    }

    /// The ranges and defaults that depend on the profile.
    private mutating func finishProfile(_ draft: inout ProviderDraft) {
        let profile = draft.settings.profile
        let isSDK2023 = profile == .sdk2023
        let delay = draft.tokenRefreshDelaySec ?? (isSDK2023 ? 300 : 88)
        draft.tokenRefreshDelaySec = delay
        draft.settings.tokenRefreshDelaySec = delay
        if isSDK2023 && draft.settings.maxRetryCount == nil {
            draft.settings.maxRetryCount = draft.settings.backgroundRefreshEnabled ? 5 : 3
        }
        guard profile != .unrestricted else { return }
        check("tokenRefreshDelaySec", delay, isSDK2023 ? 300...600 : 88...300, profile)
        if let count = draft.settings.maxRetryCount {
            check("maxRetryCount", count, isSDK2023 ? 0...10 : 0...100, profile)
        }
        let longest = draft.settings.maxErrorTokenRefreshDelayMsec
        check("maxErrorTokenRefreshDelayMsec", longest, 1...30_000, profile)
    }

    private mutating func check(
        _ name: String, _ value: Int, _ range: ClosedRange<Int>, _ profile: ProviderSettings.Profile
    ) {
        guard !range.contains(value) else { return }
        let allowed = "an integer from \(range.lowerBound) to \(range.upperBound) with profile \(profile.rawValue)"
        faults.append(.notAllowed("\(key).\(name)", origins[name], value: String(value), allowed: allowed))
    }

    private mutating func finishSource(_ draft: inout ProviderDraft, _ type: SourceType?) {
        switch type {
        case .http:
            draft.source.http.timeoutMsec = draft.source.timeoutMsec
            draft.source.http.answer = answer(draft.source)
            draft.settings.source = .http(draft.source.http)
        case .exec:
            draft.settings.source = .exec(command: draft.source.command, timeoutMsec: draft.source.timeoutMsec)
        case .file:
            draft.settings.source = .file(path: draft.source.path)
        case .static:
            draft.settings.source = .fixed(draft.source.value ?? Redacted(""))
        case nil:
            break
        }
    }

    /// Where the token stands in an answer: one place.
    private mutating func answer(_ source: SourceDraft) -> HTTPSourceSettings.Answer {
        let places = ["source.tokenPointer", "source.fromHeader", "source.fromCookie", "source.wholeBody"]
        let given = places.filter { place in
            origins[place] != nil && !(place == "source.wholeBody" && !source.wholeBody)
        }
        if given.count > 1 {
            let names = given.map { $0.dropFirst("source.".count) }.joined(separator: ", ")
            faults.append(
                Fault(key + ".source", origins[given[1]], "more than one place for the token (\(names)); must be one"))
        }
        if let name = source.fromHeader { return .header(name) }
        if let name = source.fromCookie { return .cookie(name) }
        if source.wholeBody { return .body }
        return .json(tokenPointer: source.tokenPointer, expiresInPointer: source.expiresInPointer)
    }
}
