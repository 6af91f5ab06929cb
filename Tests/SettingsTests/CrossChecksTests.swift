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

    @Test func `an open listener and unverified origins are worth a warning`() {
        #expect(load(.run, ["--listen", "0.0.0.0:8080"]).warnings.count == 1)
        #expect(load(.run, ["--listen", "0.0.0.0:8080", "--allow-from", "10.0.0.0/8"]).warnings.isEmpty)
        #expect(load(.run, ["--no-upstream-verify"]).warnings.count == 1)
        #expect(load(.run, []).warnings.isEmpty)
    }
}
