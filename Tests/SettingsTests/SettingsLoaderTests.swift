import Foundation
import Testing

@testable import Settings

@Suite struct SettingsLoaderTests {
    @Test func `the file is looked for in the places of the contract, in their order`() {
        let places = ["waf-token-proxy.yaml", "/x/waf-token-proxy/config.yaml", "/etc/waf-token-proxy.yaml"]
        for first in places.indices {
            let contents = Dictionary(uniqueKeysWithValues: places[first...].map { ($0, "threads: \(first + 1)") })
            let result = load(.run, [], ["XDG_CONFIG_HOME": "/x"], files: contents)
            #expect(result.root.proxy.threads == first + 1)
            #expect(result.file == places[first])
        }
        let home = load(.run, [], ["HOME": "/h"], files: ["/h/.config/waf-token-proxy/config.yaml": "threads: 9"])
        #expect(home.root.proxy.threads == 9)
        #expect(load().file == nil)
    }

    @Test func `a named file is the only one that is read`() {
        let contents = ["a.yaml": "threads: 1", "b.yaml": "threads: 2"]
        #expect(load(.run, ["--config", "a.yaml"], yaml: "threads: 3", files: contents).root.proxy.threads == 1)
        let variable = ["WAF_TOKEN_PROXY_CONFIG": "b.yaml"]
        let byVariable = load(.run, [], variable, yaml: "threads: 3", files: contents)
        #expect(byVariable.root.proxy.threads == 2)
        #expect(
            byVariable.shown("config")
                == Provenance(key: "config", value: "b.yaml", origin: .variable("WAF_TOKEN_PROXY_CONFIG")))
        let both = load(.run, ["--config", "a.yaml"], variable, files: contents)
        #expect(both.root.proxy.threads == 1)
        #expect(both.shown("config")?.origin == .flag("--config"))
    }

    @Test func `a named file that cannot be read is one fault`() {
        let missing = load(.run, ["--config", "none.yaml"])
        #expect(missing.lines == [#"config (--config): "none.yaml" cannot be read: No such file or directory"#])
        let large = load(.run, [], yaml: String(repeating: "#", count: 1_048_577))
        #expect(large.lines == [#"config: "waf-token-proxy.yaml" cannot be read: more than 1048576 bytes"#])
    }

    @Test func `a value that is overridden may be anything`() {
        let result = load(.run, ["--threads", "2"], ["WAF_TOKEN_PROXY_THREADS": "x"], yaml: "threads: y")
        #expect(result.lines.isEmpty)
        #expect(result.root.proxy.threads == 2)
    }

    @Test func `all faults of all places are found at once`() {
        let result = load(
            .run, ["--threads", "x", "--unknown"], ["WAF_TOKEN_PROXY_VIA": "x", "WAF_TOKEN_PROXY_X": "1"],
            yaml: "limits: {drainSec: -1, heads: 1}\nproviders: [{hosts: ['*'], source: {}}]")
        #expect(result.faults.count == 8, "\(result.lines)")
    }

    @Test func `the contract's own example is read as it stands`() throws {
        let result = load(yaml: contractExample)
        #expect(result.lines.isEmpty)
        var expected = EffectiveSettings()
        var provider = ProviderSettings()
        provider.name = "shop"
        provider.domainName = "shop.test"
        provider.hosts = ["shop.test", "*.api.shop.test:8443"]
        provider.source = .http(HTTPSourceSettings(url: "http://issuer:9000/token"))
        provider.immunityTimeSec = 300
        expected.providers = [provider]
        #expect(result.root.proxy == expected)
    }
}

/// The example of the configuration file: every key with its default.
let contractExample = """
    listen: ["127.0.0.1:8080"]
    threads: 0
    admin: { listen: "127.0.0.1:8081", tokenFile: null }
    providers:
      - name: shop
        domainName: shop.test
        hosts: ["shop.test", "*.api.shop.test:8443"]
        source: { type: http, url: "http://issuer:9000/token", method: POST, headers: {}, body: null,
                  tokenPointer: /token, expiresInPointer: /expiresIn }
        applicationIntegrationURL: null
        backgroundRefreshEnabled: true
        tokenRefreshDelaySec: 88
        maxRetryCount: null
        maxErrorTokenRefreshDelayMsec: 5000
        setTokenCookie: true
        tokenCookiePath: /
        immunityTimeSec: 300
        profile: sdk-current
        keepWarm: false
        retryJitter: full
        fetchBudgetPerMinute: 60
        attachToPreflight: false
        allowInsecureToken: false
        carrier: cookie
        clientToken: replace
        responseToken: pass
        whenNoToken: { mode: hold, holdMsec: 5000 }
        allowPlainHTTP: false
        upgradeToTLS: false
        headers: {}
    challenge: { maxReplays: 1, replayBufferBytes: 1048576, replayBufferTotalBytes: 67108864, onUnresolved: pass }
    upstream: { caFile: null, insecureHosts: [],
                verify: true,
                resolve: {},
                connectTimeoutMsec: 10000, responseHeadTimeoutMsec: 60000, idlePoolSec: 10, dnsCacheSec: 30 }
    access: { allowFrom: [], allowDestinations: [], denyDestinations: [], allowPrivateNetworks: true }
    limits: { headBytes: 65536, headFields: 200, headSec: 30, responseHeadBytes: 262144, connections: 10000, tunnels: 10000,
              idleClientSec: 300,
              tunnelIdleSec: 3600, halfCloseSec: 60, drainSec: 8 }
    via: true
    explain: false
    log: { level: info, format: auto, access: true }
    """
