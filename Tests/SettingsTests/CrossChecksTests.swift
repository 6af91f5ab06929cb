import Credentials
import Testing

@testable import Settings

@Suite struct CrossChecksTests {
    @Test func `a host belongs to one provider`() {
        let result = load(
            yaml: """
                providers:
                  - { name: a, hosts: [shop.test, x.test], source: { path: t } }
                  - { name: b, hosts: [Shop.test.], source: { path: t } }
                """)
        #expect(
            result.lines == ["providers.b.hosts (waf-token-proxy.yaml:3): shop.test belongs to the provider a already"])
    }

    @Test func `one body's copy is not larger than all copies together`() {
        let result = load(.run, ["--replay-buffer-bytes", "2", "--replay-buffer-total-bytes", "1"])
        #expect(
            result.lines == [
                "challenge.replayBufferBytes (--replay-buffer-bytes): \"2\" is not allowed; must be at most "
                    + "challenge.replayBufferTotalBytes (1)"
            ])
    }

    @Test func `operators and clients do not share an address`() {
        let result = load(.run, ["--listen", "127.0.0.1:9", "--admin-listen", "127.0.0.1:9"])
        #expect(result.lines == ["admin.listen (--admin-listen): 127.0.0.1:9 is in listen, too"])
        #expect(load(.run, ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]).faults.isEmpty)
        #expect(load(.run, ["--listen", "127.0.0.1:8081"]).faults.count == 1)
        #expect(load(.run, ["--listen", "127.0.0.1:8081", "--admin-listen", "null"]).faults.isEmpty)
    }

    @Test func `an authority file that cannot be read is a fault`() {
        let result = load(.run, ["--upstream-ca-file", "/none.pem"])
        #expect(
            result.lines == [
                #"upstream.caFile (--upstream-ca-file): the file "/none.pem" cannot be read: No such file or directory"#
            ])
        #expect(load(.run, ["--upstream-ca-file", "/ca.pem"], files: ["/ca.pem": "x"]).faults.isEmpty)
    }

    @Test func `a client certificate's files have to be there, and a host gets one certificate`() {
        let good = load(
            yaml: """
                upstream:
                  clientCertificates:
                    - { hosts: [Shop.test, "*.shop.test:8443"], certificate: c.pem, key: c.key }
                    - "bank.test=both.pem"
                """, files: ["c.pem": "", "c.key": "", "both.pem": ""])
        #expect(good.faults.isEmpty, "\(good.lines)")
        #expect(
            good.shown("upstream.clientCertificates")?.value
                == "shop.test|*.shop.test:8443=c.pem:c.key,bank.test=both.pem:both.pem")
        let bad = load(.run, ["--client-certificates", "a.test=c.pem:c.key,a.test=c.pem"], files: ["c.pem": ""])
        #expect(
            bad.lines == [
                #"upstream.clientCertificates (--client-certificates): the file "c.key" cannot be read: "#
                    + "No such file or directory",
                "upstream.clientCertificates (--client-certificates): a.test has two certificates",
            ])
    }

    @Test(arguments: [
        "{ hosts: [], certificate: c.pem }", "{ hosts: a.test }", "{ hosts: a.test, certificate: c.pem, file: x }",
        "{ hosts: ['a b'], certificate: c.pem }", "a.test", "a.test=", "=c.pem", "a.test=a:b:c", "[a.test]",
    ])
    func `anything else is no client certificate`(text: String) {
        let result = load(yaml: "upstream: { clientCertificates: [\(text)] }", files: ["c.pem": ""])
        #expect(result.lines.count == 1)
        #expect(result.lines.first?.contains("must be HOST=CERTIFICATE:KEY with PEM files") == true, "\(result.lines)")
    }

    @Test func `a key that everyone may read is worth a warning`() {
        let access = FileAccess(
            read: { (_, _) throws(FileProblem) in [] }, exists: { _ in false }, isReadableByAll: { $0 == "open.key" })
        func warnings(_ key: String) -> [String] {
            SettingsLoader(command: .run, environment: [:], files: access)
                .load(flags: FlagReader(["--client-certificates", "a.test=c.pem:\(key)"], for: .run)).warnings
        }
        #expect(warnings("safe.key").isEmpty)
        #expect(warnings("open.key").first?.contains("everyone on this machine may read the key \"open.key\"") == true)
    }

    @Test func `a provided authority is a certificate with its key, and nothing else is made`() {
        let both = ["--ca-certificate", "/ca.pem", "--ca-key", "/ca.key"]
        let pem = ["/ca.pem": "x", "/ca.key": "x"]
        #expect(load(.run, both, files: pem).faults.isEmpty)
        #expect(
            load(.run, ["--ca-certificate", "/ca.pem"], files: pem).lines
                == ["intercept.caCertificate (--ca-certificate): needs intercept.caKey as well"])
        #expect(
            load(.run, ["--ca-key", "/ca.key"], files: pem).lines
                == ["intercept.caKey (--ca-key): needs intercept.caCertificate as well"])
        #expect(load(.run, both + ["--ca-ephemeral"], files: pem).lines.count == 1)
        #expect(load(.run, both).lines.count == 2)
    }

    @Test func `a leaf is valid for 45 days in all at most`() {
        #expect(load(.run, ["--leaf-validity-days", "43"]).faults.isEmpty)
        #expect(
            load(.run, ["--leaf-validity-days", "44"]).lines == [
                "intercept.leafValidityDays (--leaf-validity-days): \"44\" is not allowed; must be at most 43 with "
                    + "leafBackdateHours 48: 45 days in all"
            ])
        #expect(load(.run, ["--leaf-backdate-hours", "0", "--leaf-validity-days", "45"]).faults.isEmpty)
        #expect(load(.run, ["--leaf-backdate-hours", "361"]).lines.count == 1)
    }

    @Test func `an authority without constraints is worth a warning`() {
        let result = load(.run, ["--ca-unconstrained"])
        #expect(!result.root.proxy.intercept.nameConstraints)
        #expect(result.warnings.count == 1)
        #expect(load(.run, ["--name-constraints"]).warnings.isEmpty)
    }

    @Test func `the proxy's users are read, and what is wrong with them is said with its line`() {
        let users = "ann:$2b$04$YYFgcN7InNDquguwvNBbyOfhFg8j7n20dHz5RSxp56V6qtvNkadY."
        let good = load(.run, ["--proxy-users-file", "/users"], files: ["/users": users])
        #expect(good.faults.isEmpty && good.root.proxy.access.proxyUsers?.count == 1)
        let bad = load(.run, ["--proxy-users-file", "/users"], files: ["/users": "\nann:hunter2"])
        #expect(bad.lines.count == 1 && bad.lines[0].contains("/users:2 needs a hash of crypt(5)"), "\(bad.lines)")
        #expect(!bad.lines[0].contains("hunter2"))
        #expect(load(.run, ["--proxy-users-file", "/none"]).lines.count == 1)
        #expect(
            load(.run, ["--listen", "0.0.0.0:8080", "--proxy-users-file", "/users"], files: ["/users": users])
                .warnings.isEmpty)
    }

    @Test func `an open listener and unverified origins are worth a warning`() {
        #expect(load(.run, ["--listen", "0.0.0.0:8080"]).warnings.count == 1)
        #expect(load(.run, ["--listen", "0.0.0.0:8080", "--allow-from", "10.0.0.0/8"]).warnings.isEmpty)
        #expect(load(.run, ["--no-upstream-verify"]).warnings.count == 1)
        #expect(load(.run, []).warnings.isEmpty)
    }
}
