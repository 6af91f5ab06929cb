import Testing

@testable import Settings

@Suite struct SpellingTests {
    @Test(arguments: [
        ("challenge.replayBufferBytes", "replay-buffer-bytes"), ("listen", "listen"),
        ("applicationIntegrationURL", "application-integration-url"), ("allowPlainHTTP", "allow-plain-http"),
        ("upgradeToTLS", "upgrade-to-tls"), ("emulator.listenHTTPS", "listen-https"),
        ("source.wholeBody", "whole-body"),
        ("limits.headSec", "head-sec"),
    ]) func `a flag is the last part of the key with dashes`(key: String, stem: String) {
        #expect(Spelling.kebab(key) == stem)
    }

    @Test func `the contract's example has its three spellings`() throws {
        let setting = try #require(Declaration.settings.first { $0.key == "challenge.replayBufferBytes" })
        #expect(setting.flag == "--replay-buffer-bytes")
        #expect(setting.variable == "WAF_TOKEN_PROXY_REPLAY_BUFFER_BYTES")
    }
}
