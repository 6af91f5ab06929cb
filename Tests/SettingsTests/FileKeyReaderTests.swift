import Foundation
import Telemetry
import Testing

@testable import Settings

@Suite struct FileKeyReaderTests {
    static let provider = "providers: [{hosts: [shop.test], source: {url: 'http://issuer/'}}]\n"

    @Test(arguments: [
        ("challenge: 1", #"challenge (waf-token-proxy.yaml:1): "1" is not allowed; must be keys with values"#),
        ("limits: [1]", #"limits (waf-token-proxy.yaml:1): "a list" is not allowed; must be keys with values"#),
        (
            "providers: {}",
            #"providers (waf-token-proxy.yaml:1): "a mapping" is not allowed; must be a list of providers"#
        ),
        ("providers: [x]", #"providers[0] (waf-token-proxy.yaml:1): "x" is not allowed; must be keys with values"#),
        ("x: 1", "x (waf-token-proxy.yaml:1): unknown key"),
        (
            "replayBufferBytes: 1",
            "replayBufferBytes (waf-token-proxy.yaml:1): unknown key; the nearest is challenge.replayBufferBytes"
        ),
        (
            "limits:\n  headbytes: 1",
            "limits.headbytes (waf-token-proxy.yaml:2): unknown key; the nearest is limits.headBytes"
        ),
        ("threads:", #"threads (waf-token-proxy.yaml:1): "null" is not allowed; must be an integer from 0 to 256"#),
        ("config: x", "config (waf-token-proxy.yaml:1): unknown key"),
        ("demo: {once: true}", "demo (waf-token-proxy.yaml:1): unknown key"),
        (
            "admin: {token: a, tokenFile: b}",
            "admin.token (waf-token-proxy.yaml:1): waf-token-proxy.yaml:1 gives the same setting; use one of them"
        ),
        ("- 1", "config (waf-token-proxy.yaml:1): keys with values were expected, not a list"),
        ("hello", "config (waf-token-proxy.yaml:1): keys with values were expected, not a text"),
        ("a: [", "config (waf-token-proxy.yaml:"),
    ]) func `a bad file is one line with its place`(yaml: String, line: String) {
        let result = load(yaml: yaml)
        #expect(result.faults.count == 1, "\(result.lines)")
        #expect(result.lines.first?.hasPrefix(line) == true, "\(result.lines)")
    }

    @Test func `empty sections and empty files are defaults`() {
        for yaml in ["", "challenge:\nlimits: {}\nproviders:\n", "providers: []", "# nothing"] {
            let result = load(yaml: yaml)
            #expect(result.lines.isEmpty)
            #expect(result.root.proxy == EffectiveSettings())
        }
    }

    @Test func `several bad items of a list are several faults, each with its own line`() {
        let result = load(yaml: "listen:\n  - x\n  - '127.0.0.1:1'\n  - y\n")
        #expect(
            result.faults.map(\.origin) == [
                .file(path: "waf-token-proxy.yaml", line: 2), .file(path: "waf-token-proxy.yaml", line: 4),
            ])
    }

    @Test func `a section of another command is known and not looked at`() {
        #expect(load(yaml: "emulator: {listen: nonsense}").faults.isEmpty)
        #expect(load(.emulator, yaml: "emulator: {listen: nonsense}\nthreads: x").faults.count == 1)
        #expect(load(.emulator, yaml: Self.provider + "emulator: {immunitySec: 5}").root.emulator.immunitySec == 5)
    }

    @Test func `a field's value may stand in a file or a variable`() throws {
        let yaml = """
            providers:
              - hosts: [shop.test]
                source: { type: http, url: "http://issuer/", headers: { Authorization: { variable: AUTH } } }
                headers: { X-Key: { file: /run/key }, X-Plain: plain }
            """
        let result = load(.run, [], ["AUTH": "Bearer s3cret"], yaml: yaml, files: ["/run/key": "s3cret\r\n"])
        #expect(result.lines.isEmpty)
        let provider = try #require(result.provider)
        #expect(provider.headers.map { $0.value.reveal() } == ["s3cret", "plain"])
        guard case .http(let source) = provider.source else { return #expect(Bool(false)) }
        #expect(source.headers.map { $0.value.reveal() } == ["Bearer s3cret"])
        let missing = load(yaml: yaml)
        #expect(
            missing.lines == [
                "providers.default.headers (waf-token-proxy.yaml:4): the file \"/run/key\" cannot be read: No such file or directory",
                "providers.default.source.headers (waf-token-proxy.yaml:3): the variable AUTH is not set",
            ])
    }

    @Test(arguments: ["Host: x", "Content-Length: 1", "Bad Name: x", "X-A: 1, x-a: 2", "X-A: \"a\\nb\"", "X-A: [1]"])
    func `fields about framing, bad names and line ends are refused without the value`(field: String) {
        let result = load(
            yaml: "providers: [{hosts: [shop.test], source: {url: 'http://issuer/'}, headers: {\(field)}}]")
        #expect(result.faults.count == 1, "\(result.lines)")
        #expect(result.lines.first?.contains("<redacted> is not allowed") == true)
    }
}
