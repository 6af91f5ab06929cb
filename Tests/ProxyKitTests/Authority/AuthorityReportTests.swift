import Foundation
import ProxyKit
import Settings
import Testing

@Suite struct AuthorityReportTests {
    @Test("It says where the authority is, what it permits and what its certificates are")
    func text() throws {
        try inFolder { base in
            var settings = EffectiveSettings()
            settings.intercept.caDirectory = base
            var provider = ProviderSettings()
            provider.hosts = ["shop.test", "*.api.bank.test:8443", "[::1]:*"]
            settings.providers = [provider]
            let first = try AuthorityReport.text(settings)
            let lines = first.split(separator: "\n")
            #expect(lines.count == 9)
            #expect(lines[0].hasPrefix("kept      \(base)/") && lines[0].hasSuffix("/authority.pem (made now)"))
            #expect(lines[1].wholeMatch(of: /set \ +[0-9a-f]{16}/) != nil)
            #expect(lines[2] == "permits   *.api.bank.test, shop.test and *.shop.test, ::1")
            #expect(lines[3].hasPrefix("trusted   CN=waf-token-proxy root "))
            #expect(lines[4].wholeMatch(of: /\ +SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}/) != nil)
            #expect(lines[6].hasPrefix("signs     CN=waf-token-proxy intermediate "))
            #expect(lines[8].wholeMatch(of: /\ +valid from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/) != nil)
            #expect(try AuthorityReport.text(settings) == first.replacing(" (made now)", with: ""))
            #expect(try AuthorityReport.trustAnchorPEM(settings).hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        }
    }

    @Test("An authority in memory cannot be shown by another process")
    func ephemeral() {
        var settings = EffectiveSettings()
        settings.intercept.ephemeralCA = true
        #expect(throws: RunningProxy.Failure.self) { try AuthorityReport.trustAnchorPEM(settings) }
    }
}
