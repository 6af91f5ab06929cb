import Telemetry

/// Everything that a command's settings are stored in, outside of providers.
struct SettingsRoot: SettingsTree {
    var config: String?
    var proxy = EffectiveSettings()
    var emulator = EmulatorSettings()
    var demo = DemoSettings()
    var client = ClientSettings()
    var ca = CASettings()
    var clientSetup = ClientSetupSettings()
}

/// A provider while its settings are gathered, before they are checked against each other.
struct ProviderDraft: SettingsTree {
    var settings = ProviderSettings()
    var source = SourceDraft()
    var domainName: String?
    var tokenRefreshDelaySec: Int?
}

/// The keys of all kinds of source, side by side.
struct SourceDraft: Sendable {
    var type: SourceType?
    var http = HTTPSourceSettings(url: "")
    var tokenPointer = "/token"
    var expiresInPointer = "/expiresIn"
    var fromHeader: String?
    var fromCookie: String?
    var wholeBody = false
    var command: [String] = []
    var timeoutMsec = 10_000
    var path = ""
    var value: Redacted<String>?
}

/// The kinds of source.
enum SourceType: String, Sendable, CaseIterable {
    case http
    case exec
    case file
    case `static`

    /// The key without which there is no source of this kind.
    var selector: String {
        switch self {
        case .http: "source.url"
        case .exec: "source.command"
        case .file: "source.path"
        case .static: "source.value"
        }
    }

    /// The keys that mean something for this kind.
    var keys: Set<String> {
        switch self {
        case .http:
            [
                "source.url", "source.method", "source.headers", "source.body", "source.tokenPointer",
                "source.expiresInPointer", "source.fromHeader", "source.fromCookie", "source.wholeBody",
                "source.timeoutMsec",
            ]
        case .exec: ["source.command", "source.timeoutMsec"]
        case .file: ["source.path"]
        case .static: ["source.value"]
        }
    }
}
