import Telemetry
import Testing

@testable import Settings

@Suite struct VariableReaderTests {
    @Test(arguments: [
        ("WAF_TOKEN_PROXY_SERVICE_HOST", "10.0.0.1"), ("WAF_TOKEN_PROXY_SERVICE_PORT", "8080"),
        ("WAF_TOKEN_PROXY_SERVICE_PORT_HTTP", "8080"), ("WAF_TOKEN_PROXY_PORT", "tcp://10.0.0.1:8080"),
        ("WAF_TOKEN_PROXY_PORT_8080_TCP", "tcp://10.0.0.1:8080"), ("WAF_TOKEN_PROXY_PORT_8080_TCP_PROTO", "tcp"),
        ("WAF_TOKEN_PROXY_PORT_8080_TCP_PORT", "8080"), ("WAF_TOKEN_PROXY_PORT_8080_TCP_ADDR", "10.0.0.1"),
        ("WAF_TOKEN_PROXY_ADMIN_SERVICE_HOST", "10.0.0.1"), ("WAF_TOKEN_PROXY_ADMIN_PORT", "tcp://10.0.0.1:8081"),
        ("WAF_TOKEN_PROXY_ADMIN_PORT_8081_TCP_ADDR", "10.0.0.1"),
    ]) func `what Kubernetes makes for a Service of our name is ignored`(name: String, value: String) {
        #expect(load(.run, [], [name: value]).faults.isEmpty)
    }

    @Test(arguments: [
        "WAF_TOKEN_PROXY_HOSTS", "WAF_TOKEN_PROXY_ADMIN_PORT", "WAF_TOKEN_PROXY_SERVICE", "WAF_TOKEN_PROXY_PORT_X_TCP",
        "WAF_TOKEN_PROXY_", "WAF_TOKEN_PROXY_PORT_80_TCP_ADDR_X", "WAF_TOKEN_PROXY_PORTS",
    ]) func `other unknown variables are refused, without their value`(name: String) {
        let result = load(.run, [], [name: "s3cret"])
        #expect(result.faults.count == 1)
        #expect(result.lines.first?.hasPrefix("\(name): unknown variable") == true)
        #expect(result.lines.first?.contains("s3cret") == false)
    }

    @Test func `foreign variables, empty ones and those of other commands do nothing`() {
        let environment = [
            "WAF_TOKENS": "x", "PATH": "/bin", "WAF_TOKEN_PROXY_THREADS": "",
            "WAF_TOKEN_PROXY_EMULATOR_LISTEN": "nonsense",
        ]
        #expect(load(.run, [], environment).faults.isEmpty)
        #expect(load(.emulator, [], environment).faults.count == 1)
    }

    @Test func `lists, pairs and fields have a spelling of one text`() throws {
        let result = load(
            .run, [],
            [
                "WAF_TOKEN_PROXY_HOST": " a.test , b.test:8443,", "WAF_TOKEN": "tok",
                "WAF_TOKEN_PROXY_RESOLVE": "a.test:443=127.0.0.1:1, b.test:80=[::1]:2",
                "WAF_TOKEN_PROXY_HEADERS": "X-One: 1: one\nX-Two:2\r\n",
            ])
        #expect(result.lines.isEmpty)
        let provider = try #require(result.provider)
        #expect(provider.hosts == ["a.test", "b.test:8443"])
        #expect(provider.headers.map(\.name) == ["X-One", "X-Two"])
        #expect(provider.headers.map { $0.value.reveal() } == ["1: one", "2"])
        #expect(
            result.root.proxy.upstream.resolve.map(\.description) == ["a.test:443=127.0.0.1:1", "b.test:80=[::1]:2"])
    }

    @Test func `a secret and the file with it are not given together`() {
        let both = load(
            .run, ["--host", "shop.test"],
            ["WAF_TOKEN": "tok", "WAF_TOKEN_PROXY_TOKEN_VALUE_FILE": "/run/s"], files: ["/run/s": "tok"])
        #expect(
            both.lines == [
                "source.value (WAF_TOKEN_PROXY_TOKEN_VALUE_FILE): WAF_TOKEN gives the same setting; use one of them"
            ])
    }
}
