import Foundation
import TLS
import Testing

@Suite struct IdentityFilesTests {
    private let directory = "/tmp/identity-files-\(UUID().uuidString)"

    /// Files with a certificate and its key, and with another key.
    private func inFiles(_ body: (_ certificate: String, _ key: String, _ other: String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let identity = try CertificateAuthority(name: "test", now: 1_700_000_000).issueLeaf(
            dnsNames: ["client"], now: 1_700_000_000)
        let texts = [try identity.chain[0].pem(), try identity.key.pem(), try PrivateKey.generateP256().pem()]
        let names = ["c.pem", "c.key", "other.key"].map { "\(directory)/\($0)" }
        for (name, text) in zip(names, texts) { try text.write(toFile: name, atomically: false, encoding: .utf8) }
        try body(names[0], names[1], names[2])
    }

    @Test func `a certificate and its key are accepted`() throws {
        try inFiles { certificate, key, _ in try IdentityFiles.check(certificate: certificate, key: key) }
    }

    @Test func `another key, a key in the certificate's place and a missing file are refused`() throws {
        try inFiles { certificate, key, other in
            for (first, second) in [(certificate, other), (key, key), (certificate, certificate), ("/none", key)] {
                #expect(throws: TLSError.self) { try IdentityFiles.check(certificate: first, key: second) }
            }
        }
    }
}
