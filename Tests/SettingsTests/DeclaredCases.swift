import Foundation
import Testing

@testable import Settings

/// One declared setting, without its type, with what the generated tests need.
struct DeclaredCase: Sendable, CustomTestStringConvertible {
    let command: Command
    /// Key as `check` shows it.
    let shownKey: String
    let key: String
    let flag: String
    /// A switch's other flag.
    let offFlag: String?
    let variable: String
    let fileVariable: String?
    let isSecret: Bool
    let isInFile: Bool
    let shape: ValueShape
    let isProvider: Bool
    let allowed: String
    let examples: [String]
    /// What a text comes to in `check`.
    let shown: @Sendable (String) -> String
    let commands: Set<Command>

    var testDescription: String { "\(command.rawValue) \(shownKey)" }

    init<Root>(_ setting: Setting<Root>, isProvider: Bool) {
        command = Command.allCases.first { setting.commands.contains($0) } ?? .run
        shownKey = (isProvider ? "providers.default." : "") + setting.key
        key = setting.key
        flag = setting.flag
        offFlag = setting.shape == .switch ? setting.offFlag : nil
        variable = setting.variable
        fileVariable = setting.fileVariable
        isSecret = setting.isSecret
        isInFile = setting.isInFile
        shape = setting.shape
        allowed = setting.allowed
        examples = setting.examples
        commands = setting.commands
        self.isProvider = isProvider
        let shape = shape
        shown = { text in
            var root = Root()
            var problems: [ValueProblem] = []
            setting.store(Node(texts: [text], shape: shape), &root, &problems)
            return problems.isEmpty ? setting.show(root) : "refused: \(text)"
        }
    }

    static let all =
        Declaration.settings.map { DeclaredCase($0, isProvider: false) }
        + Declaration.providerSettings.map { DeclaredCase($0, isProvider: true) }

    /// The file with nothing but this setting (and what makes a provider whole), its value given as JSON.
    func yaml(_ value: String, spelling: String? = nil) -> String {
        var text = value
        for part in (spelling ?? key).split(separator: ".").reversed() { text = "{\"\(part)\": \(text)}" }
        return isProvider ? "providers: [\(text)]" : text
    }

    /// A value as it stands in the file.
    func fileValue(_ text: String) -> String {
        switch Node(texts: [text], shape: shape).content {
        case .null: return "null"
        case .scalar(let text): return json(text)
        case .list(let nodes): return json(nodes.map(\.shown))
        case .mapping(let entries):
            return "{" + entries.map { "\(json($0.key)): \(json($0.value.shown))" }.joined(separator: ", ") + "}"
        }
    }

    /// Flags that make the provider whole without giving this setting.
    var companions: [String] {
        guard isProvider else { return [] }
        let host = key == "hosts" ? [] : ["--host", "shop.test"]
        let profile = key == "profile" ? [] : ["--profile=unrestricted"]
        let type = SourceType.allCases.first { $0.keys.contains(key) } ?? .http
        let isSelector = SourceType.allCases.contains { $0.selector == key }
        let source: [String]
        switch type {
        case _ where isSelector: source = []
        case .exec: source = ["--token-command=true"]
        case .file: source = ["--token-file=t"]
        case .http, .static: source = ["--token-url=http://issuer/"]
        }
        return host + profile + source
    }
}
