import Telemetry
import Testing

@testable import Settings

/// The commands that talk to a running proxy.
@Suite struct ClientSettingsTests {
    private func invoke(
        _ arguments: [String], _ environment: [String: String] = [:], yaml: String? = nil
    ) -> Invocation {
        Invocation(
            arguments: arguments, environment: environment,
            files: files(yaml.map { ["waf-token-proxy.yaml": $0] } ?? [:]))
    }

    private func target(
        _ arguments: [String], _ environment: [String: String] = [:], yaml: String? = nil
    ) -> AdminTarget? {
        guard case .ready(_, let target) = invoke(["ready"] + arguments, environment, yaml: yaml) else { return nil }
        return target
    }

    @Test func `the proxy is found where its own settings put its listener, or where --admin says`() {
        let yaml = "admin: {listen: \"127.0.0.1:7\", token: s}\nlisten: [\"127.0.0.1:8081\"]\nproviders: [{name: a}]"
        #expect(target([]) == AdminTarget(listener: .tcp(host: "127.0.0.1", port: 8081), token: nil))
        #expect(target([], yaml: yaml) == AdminTarget(listener: .tcp(host: "127.0.0.1", port: 7), token: Redacted("s")))
        let other = ["WAF_TOKEN_PROXY_ADMIN_LISTEN": "[::1]:8"]
        #expect(target([], other, yaml: yaml)?.listener == .tcp(host: "::1", port: 8))
        #expect(target(["--admin", "127.0.0.1:9"], other)?.listener == .tcp(host: "127.0.0.1", port: 9))
        #expect(target(["--admin", "unix:/run/a.sock"])?.listener == .unix(path: "/run/a.sock"))
        #expect(
            target(["--admin", "proxy:8081"]) == AdminTarget(listener: .tcp(host: "proxy", port: 8081), token: nil))
    }

    @Test(arguments: [
        ["--admin-listen", "none"], ["--admin-listen", "127.0.0.1:0"], ["--admin", "127.0.0.1:0"],
    ]) func `without an address there is nobody to ask`(arguments: [String]) throws {
        let output = try #require(printed(["ready"] + arguments))
        #expect(output.exitCode == .usage)
        #expect(output.standardError.hasPrefix("--admin: needed"))
    }

    @Test func `ready waits for what it is told to`() {
        guard case .ready(let plain, _) = invoke(["ready"]),
            case .ready(let told, _) = invoke(["ready", "--wait", "30", "--for", "listener,token"])
        else { return #expect(Bool(false)) }
        #expect(plain.waitSec == 0 && plain.conditions == [.listener, .ca, .token])
        #expect(told.waitSec == 30 && told.conditions == [.listener, .token])
    }

    @Test(arguments: TokenVerb.allCases) func `token takes each of its actions`(verb: TokenVerb) {
        let arguments = ["token", verb.rawValue, "--provider", "shop", "--reveal", "--token-file", "t"]
        guard case .token(let found, let client, _) = invoke(arguments) else { return #expect(Bool(false)) }
        #expect(found == verb && client.provider == "shop" && client.reveal && client.tokenFile == "t")
    }

    @Test(arguments: [
        (["token"], "token: needs one of status, get, refresh, load, expire"),
        (["token", "statos"], "statos: unknown action of token; the nearest is status"),
        (["token", "load", "s3cret"], "token: unexpected argument; token takes flags"),
        (["token", "load", "--token", "s3cret"], "--token: unknown flag"),
        (["ready", "--for", "tokens"], "ready.for (--for): \"tokens\" is not allowed; must be one of"),
        (["ready", "x"], "x: unexpected argument"), (["check", "--url", "shop.test"], "check.url (--url):"),
        (["run", "--admin-listen", "unix:run/x"], "admin.listen (--admin-listen): \"unix:run/x\" is not allowed"),
    ]) func `what is wrong is said in one line`(arguments: [String], line: String) throws {
        let output = try #require(printed(arguments))
        #expect(output.exitCode == .usage)
        #expect(output.standardError.contains(line), "\(output.standardError)")
        #expect(!output.standardError.contains("s3cret"))
    }

    @Test func `variables and files of the proxy's own settings are no fault for the other commands`() {
        let environment = [
            "WAF_TOKEN_PROXY_TOKEN_FILE": "/run/token", "WAF_TOKEN": "x", "WAF_TOKEN_PROXY_HOST": "a.test",
        ]
        #expect(target([], environment) != nil)
        #expect(target([], yaml: "listen: [\"127.0.0.1:1\"]\nproviders: [{hosts: [a.test]}]") != nil)
    }

    @Test func `check explains a URL once the settings have no fault`() throws {
        guard case .explain(let settings, let url) = invoke(["check"] + goodProvider + ["--url", "http://shop.test/a"])
        else { return #expect(Bool(false)) }
        #expect(settings.providers.count == 1 && url == "http://shop.test/a")
        let output = try #require(printed(["check", "--threads", "x", "--url", "http://shop.test/"]))
        #expect(output.exitCode == .usage)
    }

    @Test(arguments: ["none", "null"]) func `the admin listener is turned off by a word`(word: String) {
        #expect(load(.run, ["--admin-listen", word]).root.proxy.admin.listen == nil)
        #expect(load(.run, yaml: "admin: {listen: \(word)}").root.proxy.admin.listen == nil)
    }

    @Test func `an admin listener beyond loopback is warned of`() {
        let warnings = load(.run, ["--admin-listen", "0.0.0.0:8081"]).warnings
        #expect(warnings.count == 1 && warnings[0].hasPrefix("admin.listen: 0.0.0.0:8081 can be reached"))
    }
}
