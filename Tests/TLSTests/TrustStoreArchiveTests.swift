import Foundation
import Testing

@testable import TLS

/// What Java makes of it is asked of keytool.
@Suite struct TrustStoreArchiveTests {
    private func authorities(_ names: [String]) throws -> [Certificate] {
        try names.map { try CertificateAuthority(name: $0, now: Pair.now).certificate }
    }

    private func keytool(_ archive: [UInt8], password: String = "changeit") throws -> String {
        try withFolder { folder in
            let file = folder.appending(path: "truststore.p12")
            try Data(archive).write(to: file)
            return try run(["keytool", "-J-Duser.language=en", "-list", "-keystore", file.path, "-storepass", password])
                .output
        }
    }

    @Test func `keytool lists every entry as a trusted certificate`() throws {
        let certificates = try authorities(["one", "two", "three"])
        let said = try keytool(TrustStoreArchive.pkcs12(certificates, password: "changeit"))
        #expect(said.contains("contains 3 entries"))
        #expect(said.components(separatedBy: "trustedCertEntry").count - 1 == 3)
        for certificate in certificates {
            let digits = try certificate.fingerprint().hex.uppercased()
            let pairs = stride(from: 0, to: digits.utf8.count, by: 2).map { digits.dropFirst($0).prefix(2) }
            #expect(said.contains(pairs.joined(separator: ":")))
        }
    }

    @Test func `certificates of one name are all kept, each under an alias of its own`() throws {
        let one = try CertificateAuthority(name: "same", now: Pair.now).certificate
        let said = try keytool(TrustStoreArchive.pkcs12([one, one], password: "changeit"))
        #expect(said.contains("contains 2 entries"))
        #expect(TrustStoreArchive.aliases(of: [one, one, one]).count == 3)
        #expect(Set(TrustStoreArchive.aliases(of: [one, one, one])).count == 3)
    }

    @Test func `another password is refused`() throws {
        let archive = try TrustStoreArchive.pkcs12(authorities(["one"]), password: "changeit")
        #expect(try !keytool(archive, password: "something").contains("trustedCertEntry"))
    }

    @Test func `an archive of nothing is refused`() {
        #expect(throws: TLSError(.malformedInput, "")) { try TrustStoreArchive.pkcs12([], password: "changeit") }
    }
}
