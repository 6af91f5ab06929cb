import HTTP
import Testing
import Upstream

/// What is wrong with an origin's certificate is said in one sentence. Certificates are openssl(1)'s, the origin is
/// `openssl s_server`.
@Suite(.timeLimit(.minutes(1)))
struct CertificateReasonTests {
    /// What comes of a request to an origin with this certificate; `sent` are the files that it shows.
    private func reason(
        _ certificate: (Issuer) throws -> Issuer.Files, trusting: Bool = true, serverOptions: [String] = []
    ) async throws -> Answer {
        let issuer = try Issuer()
        let files = try certificate(issuer)
        let port = freePort()
        let program = try Program(
            ["openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-quiet", "-cert", files.certificate]
                + ["-key", files.key] + serverOptions, in: issuer.path)
        defer { program.kill() }
        #expect(waitForPort(port))
        let shop = Authority(host: "shop.test", port: port)
        let ca = trusting ? issuer.root : nil
        return try await withClient {
            $0.caFile = ca
            $0.resolve = [shop: Endpoint(host: "127.0.0.1", port: port)]
        } _: {
            await $0.perform(request(port: port, host: "shop.test", scheme: .https))
        }
    }

    private func expect(_ answer: Answer, _ sentence: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(answer.error?.code == .certificate, "\(answer)", sourceLocation: location)
        #expect(answer.error?.detail == sentence, sourceLocation: location)
        #expect(answer.error.map { $0.detail.utf8.count <= 120 } == true, sourceLocation: location)
        #expect(answer.attempts == 0, "no request may go out", sourceLocation: location)
    }

    @Test func `an expired certificate is told with the day on which it expired`() async throws {
        let answer = try await reason { try $0.leaf("DNS:shop.test", from: "20190101", until: "20200201") }
        expect(answer, "The certificate expired on 2020-02-01.")
    }

    @Test func `a certificate of the future is told with its first day`() async throws {
        let answer = try await reason { try $0.leaf("DNS:shop.test", from: "20450304", until: "20460101") }
        expect(answer, "The certificate is not valid before 2045-03-04.")
    }

    @Test func `a certificate for another name is told with the names it has`() async throws {
        let names = "DNS:bank.test,DNS:*.bank.test,IP:10.1.2.3,DNS:other.test"
        let answer = try await reason { try $0.leaf(names) }
        expect(
            answer, "The certificate is not for shop.test but for bank.test, *.bank.test, 10.1.2.3 and 1 more.")
    }

    @Test func `a certificate that names no host at all is told so`() async throws {
        let answer = try await reason { try $0.leaf("email:a@shop.test") }
        expect(answer, "The certificate is not for shop.test: it names no host at all.")
    }

    @Test func `a self-signed certificate is told so`() async throws {
        expect(
            try await reason { try $0.selfSigned("DNS:shop.test") },
            "The certificate is self-signed, and not in --upstream-ca-file.")
    }

    @Test func `an authority that is not trusted is named`() async throws {
        expect(
            try await reason({ try $0.leaf("DNS:shop.test") }, trusting: false),
            "The issuer CN=test root is not trusted (--upstream-ca-file), or the origin omits an intermediate certificate."
        )
        expect(
            try await reason(
                { try $0.leaf("DNS:shop.test") }, trusting: false, serverOptions: ["-cert_chain", "root.pem"]),
            "The chain ends at the root CN=test root, which is not trusted (--upstream-ca-file).")
    }

    @Test func `a missing intermediate is told, and with it the chain is whole`() async throws {
        let missing = try await reason { try $0.leaf("DNS:shop.test", by: "middle") }
        expect(
            missing,
            "The issuer CN=test middle is not trusted (--upstream-ca-file), or the origin omits an intermediate certificate."
        )
        let whole = try await reason(
            { try $0.leaf("DNS:shop.test", by: "middle") }, serverOptions: ["-cert_chain", "middle.pem"])
        #expect(whole.status == 200, "\(whole)")
    }

    @Test func `an intermediate that expired is told with its name and day`() async throws {
        let answer = try await reason(
            { try $0.leaf("DNS:shop.test", by: "old") }, serverOptions: ["-cert_chain", "old.pem"])
        expect(answer, "The chain's certificate of CN=test old expired on 2020-02-01.")
    }

    @Test func `a certificate of somebody who is no authority is refused with OpenSSL's reason`() async throws {
        let answer = try await reason(
            { issuer in
                _ = try issuer.leaf("DNS:bank.test")
                return try issuer.leaf("DNS:shop.test", by: "leaf", name: "second")
            }, serverOptions: ["-cert_chain", "leaf.pem"])
        #expect(answer.error?.code == .certificate)
        #expect(answer.error?.detail.contains("is refused: invalid CA certificate") == true, "\(answer)")
    }

    @Test(arguments: ["-tls1", "-tls1_1"])
    func `an origin with nothing newer than TLS 1_1 is told so`(version: String) async throws {
        let answer = try await reason(
            { try $0.leaf("DNS:shop.test") }, serverOptions: [version, "-cipher", "ALL:@SECLEVEL=0"])
        #expect(answer.error?.code == .tls)
        #expect(answer.error?.detail == "The origin does not speak TLS 1.2 or 1.3.")
        #expect(answer.attempts == 0)
    }

    @Test func `an origin with TLS 1_2 alone is reached`() async throws {
        #expect(try await reason({ try $0.leaf("DNS:shop.test") }, serverOptions: ["-tls1_2"]).status == 200)
    }
}
