import Foundation
import Settings
import TLS
import Testing
import WAFTokens

@testable import ProxyKit

@Suite struct ProvidedAuthorityTests {
    private static let now = 1_800_000_000

    /// Opens an authority whose two files hold these texts.
    private func open(
        _ certificates: String, _ key: String, hosts: [String] = ["shop.test"], now: Int = now, keyMode: Int = 0o600
    ) throws -> OpenedAuthority {
        try inFolder { base in
            var settings = InterceptSettings()
            settings.caCertificate = base + "/ca.pem"
            settings.caKey = base + "/ca.key"
            try certificates.write(toFile: base + "/ca.pem", atomically: false, encoding: .utf8)
            try key.write(toFile: base + "/ca.key", atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: keyMode], ofItemAtPath: base + "/ca.key")
            return try AuthorityStore.open(settings, hosts: hosts.map { try HostPattern($0) }, now: now)
        }
    }

    private func refusal(of body: () throws -> OpenedAuthority) -> String {
        let failure = #expect(throws: RunningProxy.Failure.self) { try body() }
        return failure?.description ?? ""
    }

    @Test("A certificate with its issuers and its key are taken as they are")
    func good() throws {
        let ours = try InterceptionAuthority(constraints: nil, now: Self.now)
        let opened = try open(ours.certificatePEM(), ours.keyPEM())
        #expect(opened.trustAnchorPEM == ours.trustAnchorPEM)
        #expect(opened.authority.chain.count == 1)
        guard case .provided = opened.place else { return #expect(Bool(false)) }
    }

    @Test("A mounted secret that a group can read is taken, one for everybody is not")
    func modes() throws {
        let ours = try InterceptionAuthority(constraints: nil, now: Self.now)
        #expect(throws: Never.self) { try open(ours.certificatePEM(), ours.keyPEM(), keyMode: 0o440) }
        let text = refusal { try open(ours.certificatePEM(), ours.keyPEM(), keyMode: 0o444) }
        #expect(text.contains("intercept.caKey") && text.contains("mode 444"), "\(text)")
    }

    @Test("One that has ended, or has not begun, is refused with its days")
    func validity() throws {
        let ours = try InterceptionAuthority(constraints: nil, now: Self.now)
        for now in [Self.now + 731 * 86_400, Self.now - 3 * 86_400] {
            let text = refusal { try open(ours.certificatePEM(), ours.keyPEM(), now: now) }
            #expect(text.contains("valid from 2027-01-13 to 2029-01-14 and not now"), "\(text)")
        }
    }

    @Test("One whose own constraints exclude a listed host is refused", arguments: ["bank.test", "*.test", "10.0.0.1"])
    func constraints(host: String) throws {
        let ours = try InterceptionAuthority(constraints: NameConstraints(hosts: ["shop.test"]), now: Self.now)
        #expect(throws: Never.self) {
            try open(ours.certificatePEM(), ours.keyPEM(), hosts: ["shop.test", "*.shop.test:8443"])
        }
        let opened = try open(ours.certificatePEM(), ours.keyPEM())
        let hosts = [try HostPattern("a.shop.test"), try HostPattern(host)]
        #expect(opened.refused(among: hosts)?.description == host)
        let text = refusal { try open(ours.certificatePEM(), ours.keyPEM(), hosts: ["shop.test", host]) }
        #expect(text.contains("may not sign for"), "\(text)")
    }

    @Test("Texts that are no authority are refused with what is wrong")
    func nonsense() throws {
        let ours = try InterceptionAuthority(constraints: nil, now: Self.now)
        let other = try InterceptionAuthority(constraints: nil, now: Self.now)
        let leaf = try LeafStore(authority: ours) { Self.now }.identity(for: "shop.test")
        let cases: [(String, String, String)] = [
            ("", try ours.keyPEM(), "no chain of certificates"),
            (try ours.certificatePEM(), "", "no unencrypted private key"),
            (try ours.certificatePEM(), try other.keyPEM(), "does not belong to"),
            (try leaf.chain[0].pem(), try leaf.key.pem(), "may sign others"),
            (try ours.chain[0].pem() + other.trustAnchorPEM, try ours.keyPEM(), "followed by the one that issued it"),
        ]
        for (certificates, key, part) in cases {
            let text = refusal { try open(certificates, key) }
            #expect(text.contains(part), "\(text)")
            #expect(!text.contains("BEGIN"))
        }
    }

    @Test("A missing file is named with its setting")
    func missing() throws {
        var settings = InterceptSettings()
        settings.caCertificate = "/none/ca.pem"
        settings.caKey = "/none/ca.key"
        let hosts = [try HostPattern("shop.test")]
        let text = refusal { try AuthorityStore.open(settings, hosts: hosts) }
        #expect(text.hasPrefix("intercept.caCertificate: /none/ca.pem cannot be read as user"), "\(text)")
    }
}
