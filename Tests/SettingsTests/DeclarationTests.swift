import Foundation
import Testing

@testable import Settings

@Suite struct DeclarationTests {
    @Test func `no two settings of a command share a flag, no two at all a variable or a key`() {
        for command in Command.allCases {
            let flags = FlagReader.flags(of: command)
            #expect(Set(flags).count == flags.count, "\(flags)")
        }
        let variables =
            Declaration.settings.flatMap(\.variables) + Declaration.providerSettings.flatMap(\.variables)
        #expect(Set(variables).count == variables.count)
        for keys in [Declaration.settings.map(\.key), Declaration.providerSettings.map(\.key)] {
            #expect(Set(keys).count == keys.count)
        }
    }

    @Test(arguments: DeclaredCase.all)
    func `each has a help sentence, what it takes, and examples that it takes and that differ`(setting: DeclaredCase) {
        #expect(setting.examples.count >= 2)
        #expect(setting.examples.allSatisfy { !setting.shown($0).hasPrefix("refused") })
        if !setting.isSecret { #expect(Set(setting.examples.map(setting.shown)).count == setting.examples.count) }
        #expect(!setting.allowed.isEmpty)
        #expect(setting.allowed.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
    }

    @Test func `help sentences are sentences in ASCII`() {
        for help in Declaration.settings.map(\.help) + Declaration.providerSettings.map(\.help) {
            #expect(help.hasSuffix("."))
            #expect(help.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "\(help)")
        }
    }

    @Test(arguments: DeclaredCase.all.filter { !$0.isSecret })
    func `flag beats variable beats file beats default`(setting: DeclaredCase) throws {
        func example(_ index: Int) -> String { setting.examples[index % setting.examples.count] }
        let yaml = setting.isInFile && setting.command != .demo ? setting.yaml(setting.fileValue(example(0))) : nil
        let variable = [setting.variable: example(1)]
        // The kind of source is decided together with the keys of the source: here it stands alone.
        let companions = setting.key == "source.type" ? [] : setting.companions
        let flag = companions + ["\(setting.flag)=\(example(2))"]
        if setting.key == "config" { return }  // names the file itself: see SettingsLoaderTests

        let byDefault = load(setting.command, companions)
        if !setting.isProvider || !setting.key.hasPrefix("source.") {
            #expect(byDefault.shown(setting.shownKey)?.origin == .defaultValue)
        }
        if let yaml {
            let byFile = try #require(load(setting.command, companions, yaml: yaml).shown(setting.shownKey))
            #expect(byFile.value == setting.shown(example(0)))
            #expect(byFile.origin == .file(path: "waf-token-proxy.yaml", line: 1))
        }
        let byVariable = try #require(
            load(setting.command, companions, variable, yaml: yaml).shown(setting.shownKey))
        #expect(byVariable.value == setting.shown(example(1)))
        #expect(byVariable.origin == .variable(setting.variable))
        let byFlag = try #require(load(setting.command, flag, variable, yaml: yaml).shown(setting.shownKey))
        #expect(byFlag.value == setting.shown(example(2)))
        #expect(byFlag.origin == .flag(setting.flag))
    }

    @Test(arguments: DeclaredCase.all.filter(\.isSecret))
    func `a secret is read from variable, file and the key of the file, and never shown`(setting: DeclaredCase) throws {
        let marker = "S3CRET"
        let value = setting.shape == .fieldLines ? "X-Key: \(marker)" : marker
        let secretFile = ["/run/secret": value + "\n"]
        let ways: [(arguments: [String], environment: [String: String], yaml: String?)] = [
            ([], [setting.variable: value], nil),
            ([], [setting.fileVariable ?? "": "/run/secret"], nil),
            ([setting.flag, "/run/secret"], [:], nil),
            ([], [:], setting.yaml(setting.fileValue(value))),
            ([], [:], setting.yaml(json("/run/secret"), spelling: setting.key + "File")),
        ]
        for way in ways {
            let result = load(
                .run, setting.companions + way.arguments, way.environment, yaml: way.yaml, files: secretFile)
            #expect(result.lines.isEmpty)
            let shown = try #require(result.shown(setting.shownKey))
            #expect(shown.value.contains("<redacted>"))
            #expect(shown.origin != .defaultValue)
            let output = try #require(
                printed(
                    ["check"] + setting.companions + way.arguments, way.environment, yaml: way.yaml, files: secretFile))
            #expect(!"\(output)".contains(marker))
            var dumped = ""
            dump(result, to: &dumped)
            #expect(!dumped.contains(marker))
        }
    }

    /// A text that no type takes: a quote that stays open, a control byte, and far too long.
    static let nonsense = "' \u{1}S3CRET" + String(repeating: "x", count: 70_000)

    @Test(arguments: DeclaredCase.all.filter { $0.key != "config" })
    func `nonsense is one fault of one line, from every place`(setting: DeclaredCase) throws {
        var results = [load(setting.command, setting.companions, [setting.variable: Self.nonsense])]
        if !setting.isSecret {
            results.append(load(setting.command, setting.companions + ["\(setting.flag)=\(Self.nonsense)"]))
        }
        if setting.isInFile && setting.command != .demo {
            // libyaml takes keys of at most 1024 characters.
            let isMapping = setting.shape == .pairs || setting.shape == .fieldLines
            let nonsense = isMapping ? String(Self.nonsense.prefix(200)) : Self.nonsense
            results.append(load(setting.command, setting.companions, yaml: setting.yaml(setting.fileValue(nonsense))))
            results.append(load(setting.command, setting.companions, yaml: setting.yaml("[[1]]")))
        }
        for result in results {
            #expect(result.faults.count == 1, "\(result.lines)")
            let line = try #require(result.lines.first)
            #expect(line.hasPrefix(setting.shownKey + " ("))
            #expect(line.contains("must be"))
            #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
            if setting.isSecret { #expect(!line.contains("S3CRET")) }
        }
    }

    @Test(arguments: DeclaredCase.all.filter { $0.allowed.contains("an integer from") })
    func `numbers are refused just outside of their range and in other spellings`(setting: DeclaredCase) throws {
        let range = try #require(setting.allowed.firstMatch(of: /from (\d+) to (\d+)/))
        let lowest = try #require(Int(range.1))
        let highest = try #require(Int(range.2))
        let bad = ["\(lowest - 1)", "\(highest + 1)", "1.5", "1e3", "0x10", "+1", "007", "1 ", "99999999999999999999"]
        for text in bad {
            let result = load(setting.command, setting.companions + ["\(setting.flag)=\(text)"])
            #expect(result.faults.count == 1, "\(text): \(result.lines)")
            #expect(result.lines.first?.contains("\"\(text)\" is not allowed") == true)
        }
        for text in [lowest, highest] {
            #expect(setting.shown("\(text)") == "\(text)")
        }
    }

    @Test(arguments: DeclaredCase.all)
    func `a slip in a name is answered with the name`(setting: DeclaredCase) {
        let flag = load(setting.command, setting.companions + [setting.flag + "x", "value"])
        #expect(flag.lines.first == "\(setting.flag)x: unknown flag; the nearest is \(setting.flag)")
        let variable = load(setting.command, setting.companions, [setting.variable + "X": "value"])
        #expect(variable.lines.first == "\(setting.variable)X: unknown variable; the nearest is \(setting.variable)")
        // Without what is required something else is missing, of course.
        let isRequired = setting.key == "hosts" || SourceType.allCases.contains { $0.selector == setting.key }
        #expect(isRequired || (flag.faults.count == 1 && variable.faults.count == 1))
        guard setting.isInFile && setting.command != .demo else { return }
        let key = load(setting.command, setting.companions, yaml: setting.yaml("1", spelling: setting.key + "x"))
        #expect(isRequired || key.faults.count == 1)
        #expect(key.lines.first?.hasSuffix("unknown key; the nearest is \(setting.key)") == true, "\(key.lines)")
    }
}
