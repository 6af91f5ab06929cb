import Foundation
import Testing

@testable import TLS

@Suite struct CertificateTrustTests {
    @Test func `the subject's hash and the fingerprint are those of the openssl command`() throws {
        let certificate = try CertificateAuthority(name: "hash me", now: Pair.now).certificate
        let said = try withFolder { folder in
            let file = folder.appending(path: "ca.pem")
            try Data(certificate.pem().utf8).write(to: file)
            let words = ["openssl", "x509", "-in", file.path, "-noout", "-subject_hash", "-fingerprint", "-sha256"]
            return try run(words).output
        }
        let lines = said.split(separator: "\n")
        #expect(lines.first.map(String.init) == certificate.subjectHash)
        let digits = lines.last?.split(separator: "=").last?.replacing(":", with: "").lowercased()
        #expect(try digits == certificate.fingerprint().hex)
    }

    @Test func `it is called by its common name`() throws {
        let name = try CertificateAuthority(name: "call me this", now: Pair.now).certificate.displayName
        #expect(name?.hasPrefix("call me this ") == true)
    }
}
