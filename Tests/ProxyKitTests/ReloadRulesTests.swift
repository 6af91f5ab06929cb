import Settings
import Telemetry
import Testing

@testable import ProxyKit

@Suite struct ReloadRulesTests {
    private func rules(_ change: (inout EffectiveSettings) -> Void) -> ReloadRules {
        var new = EffectiveSettings()
        change(&new)
        return ReloadRules(old: EffectiveSettings(), new: new)
    }

    @Test("what is bound at start needs a restart, in one line that names it")
    func refused() {
        let all = rules { new in
            new.listen = [.tcp(host: "127.0.0.1", port: 8090)]
            new.threads = 3
            new.admin.listen = nil
            new.admin.token = Redacted("secret-admin-token")
            new.challenge.replayBufferTotalBytes = 1
        }.faults
        let keys = ["listen", "threads", "admin.listen", "admin.token", "challenge.replayBufferTotalBytes"]
        #expect(all == keys.map { "\($0): cannot change while the proxy runs; a restart is needed" })
        #expect(rules { $0.providers = [ProviderSettings()] }.faults.isEmpty)
    }

    @Test("the parts that differ are named, nothing else")
    func changed() {
        #expect(rules { _ in }.changed.isEmpty)
        let some = rules { new in
            new.access.allowPrivateNetworks = false
            new.log.level = .debug
            new.via = false
        }
        #expect(some.changed == ["access", "via", "log"])
    }

    @Test("connections to origins end only where the rules for them may have changed")
    func renewal() {
        let log = rules { $0.log.access = false }
        #expect(!log.renewsUpstream && !log.renewsFetcher)
        let access = rules { $0.access.allowPrivateNetworks = false }
        #expect(access.renewsUpstream && !access.renewsFetcher)
        let upstream = rules { $0.upstream.verify = false }
        #expect(upstream.renewsUpstream && upstream.renewsFetcher)
        let file = rules { $0.upstream.caFile = "/ca.pem" }
        #expect(file.renewsUpstream && file.renewsFetcher)
    }
}
