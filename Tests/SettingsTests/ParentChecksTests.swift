import Telemetry
import Testing

@testable import Settings

@Suite struct ParentChecksTests {
    private func parent(_ result: SettingsLoader.Result) -> ParentProxy? {
        result.root.proxy.upstream.parentProxy
    }

    @Test func `a URL with credentials may stand in a variable or the file, and they are never shown`() {
        let url = "http://rig:p%40ss:w@10.0.0.1:3128/"
        for result in [
            load(.run, [], ["WAF_TOKEN_PROXY_PARENT_PROXY": url]), load(yaml: "upstream: { parentProxy: \"\(url)\" }"),
        ] {
            #expect(result.faults.isEmpty, "\(result.lines)")
            #expect(parent(result)?.credentials?.user.reveal() == "rig")
            #expect(parent(result)?.credentials?.password.reveal() == "p@ss:w")
            #expect(result.shown("upstream.parentProxy")?.value == "http://<redacted>@10.0.0.1:3128")
            var dumped = ""
            dump(result, to: &dumped)
            #expect(!dumped.contains("p@ss") && !dumped.contains("p%40ss"))
        }
    }

    @Test func `a flag takes no credentials, and does not repeat them`() {
        let result = load(.run, ["--parent-proxy", "http://rig:S3CRET@10.0.0.1:3128"])
        #expect(
            result.lines == [
                "upstream.parentProxy (--parent-proxy): a secret is never given as a flag; leave user and password out "
                    + "and use --parent-proxy-user and --parent-proxy-password-file"
            ])
        let wrong = load(.run, ["--parent-proxy", "http://rig:S3CRET@10.0.0.1:x"])
        #expect(wrong.lines.count == 1)
        #expect(wrong.lines.first?.contains("S3CRET") == false, "\(wrong.lines)")
    }

    @Test func `user and password are given on their own`() {
        let result = load(
            .run,
            ["--parent-proxy", "https://p.test:443", "--parent-proxy-user", "rig", "--parent-proxy-password-file=f"],
            files: ["f": "S3CRET\n"])
        #expect(result.faults.isEmpty, "\(result.lines)")
        #expect(result.root.proxy.upstream.parentProxyPassword?.reveal() == "S3CRET")
        #expect(result.shown("upstream.parentProxyPassword")?.value == "<redacted>")
        let lonely = load(.run, ["--parent-proxy-user", "rig"])
        #expect(lonely.warnings == ["upstream.parentProxyUser: there is no upstream.parentProxy that it belongs to"])
        let twice = load(
            .run, ["--parent-proxy-user", "rig"], ["WAF_TOKEN_PROXY_PARENT_PROXY": "http://a:b@p.test:1"])
        #expect(twice.lines.first?.hasSuffix("upstream.parentProxy holds a user already; use one of them") == true)
    }

    @Test(arguments: [
        "p.test:1", "ftp://p.test:1", "http://p.test", "http://p.test:0", "http://p.test:1/path", "http://:1",
        "socks4://p.test:1", "http://a b@p.test:1", "http://%zz@p.test:1", "http://:pw@p.test:1", "http://%0a@p.test:1",
    ])
    func `what is no parent's URL is refused`(text: String) {
        #expect(load(.run, [], ["WAF_TOKEN_PROXY_PARENT_PROXY": text]).faults.count == 1)
    }

    @Test(arguments: [
        ("http://P.Test.:1", "http://p.test:1"), ("HTTPS://[::1]:2/", "https://[::1]:2"),
        ("socks5://10.0.0.1:3", "socks5://10.0.0.1:3"), ("socks5h://10.0.0.1:3", "socks5://10.0.0.1:3"),
    ])
    func `the four schemes are taken`(text: String, shown: String) {
        #expect(load(.run, ["--parent-proxy", text]).shown("upstream.parentProxy")?.value == shown)
    }

    // MARK: The environment

    private func fromEnvironment(_ environment: [String: String]) -> EnvironmentParents? {
        load(.run, ["--parent-from-environment"], environment).root.proxy.upstream.environmentParents
    }

    @Test func `our own variables for proxies mean nothing unless that is asked for`() {
        let result = load(.run, [], ["http_proxy": "http://p.test:1", "HTTPS_PROXY": "nonsense"])
        #expect(result.faults.isEmpty)
        #expect(result.root.proxy.upstream.environmentParents == nil)
    }

    @Test func `they are read the way curl reads them`() {
        let parents = fromEnvironment([
            "HTTP_PROXY": "http://never.test:1", "http_proxy": "plain.test", "https_proxy": "",
            "HTTPS_PROXY": "https://u:p@secure.test", "ALL_PROXY": "socks5h://all.test",
        ])
        #expect(parents?.plain?.description == "http://plain.test:1080")
        #expect(parents?.secure?.shown == "https://<redacted>@secure.test:443")
        let all = fromEnvironment(["HTTP_PROXY": "http://never.test:1", "all_proxy": "socks5://all.test"])
        #expect(all?.plain?.description == "socks5://all.test:1080")
        #expect(all?.secure == all?.plain)
    }

    @Test func `no_proxy holds names with those below them, addresses and networks`() {
        let parents = fromEnvironment(["NO_PROXY": ".a.test,B.test.  10.0.0.0/8, ::1,bad name_,"])
        #expect(
            parents?.exceptions == [
                .domain("a.test"), .domain("b.test"), .network(NetworkRange("10.0.0.0/8")!),
                .network(NetworkRange("::1")!),
                .domain("bad"), .domain("name_"),
            ])
        #expect(fromEnvironment(["no_proxy": "*", "NO_PROXY": "a.test"])?.exceptions == [.everything])
    }

    @Test func `a variable that names no usable proxy, and a second source of parents, are faults`() {
        let unknown = load(.run, ["--parent-from-environment"], ["ALL_PROXY": "socks4://u:S3CRET@p.test"])
        #expect(
            unknown.lines == [
                "upstream.parentFromEnvironment (--parent-from-environment): the variable ALL_PROXY names no http, https "
                    + "or socks5 proxy"
            ])
        let both = load(.run, ["--parent-from-environment", "--parent-proxy", "http://p.test:1"])
        #expect(both.lines.first?.hasSuffix("upstream.parentProxy is given, too; use one of them") == true)
    }
}
