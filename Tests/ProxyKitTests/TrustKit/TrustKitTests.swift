import Foundation
import Settings
import TLS
import Testing

@testable import ProxyKit

/// The kit as clients find it in its folder.
@Suite struct TrustKitTests {
    private let root: Certificate

    init() throws { root = try makeRoot("ours") }

    /// A whole kit in `folder`, over these certificates.
    private func write(_ others: [Certificate], to folder: URL) throws {
        var kit = try TrustKit(authority: [root], others: others, wgetrc: "passive_ftp = on\n", folder: folder.path)
        try kit.add(
            ClientVariables(proxy: "127.0.0.1:8080", trustKit: folder.path, noProxy: ["localhost"], java: .toolOptions))
        try TrustKitFolder(folder.path).write(kit)
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `every file is there, readable for everybody, and nothing else`() throws {
        try withFolder { folder in
            let kit = folder.appending(path: "new/kit")
            try write([makeRoot()], to: kit)
            #expect(
                try names(in: kit) == [
                    ".env", "README.txt", "bundle.pem", "ca.pem", "certs", "env.fish", "env.ps1", "env.sh", "ready",
                    "truststore.p12", "wgetrc",
                ])
            #expect(try String(contentsOf: kit.appending(path: "ca.pem"), encoding: .utf8) == root.pem())
            let mode = try FileManager.default.attributesOfItem(atPath: kit.path + "/bundle.pem")[.posixPermissions]
            #expect(mode as? Int == 0o644)
        }
    }

    @Test func `a certificate that is there twice is written once`() throws {
        try withFolder { folder in
            let other = try makeRoot()
            try write([other, other, root], to: folder)
            let bundle = try String(contentsOf: folder.appending(path: "bundle.pem"), encoding: .utf8)
            #expect(try Certificate.chain(pem: bundle).count == 2)
            #expect(try names(in: folder.appending(path: "certs")).count == 2)
        }
    }

    @Test func `openssl finds certificates in the hashed directory, and only those`() throws {
        try withFolder { folder in
            let strange = try makeRoot("not in it")
            try write(TrustSources(environment: [:]).certificates, to: folder)
            let certs = folder.appending(path: "certs").path
            try Data(strange.pem().utf8).write(to: folder.appending(path: "strange"))
            let verify = ["openssl", "verify", "-no-CAfile", "-no-CAstore", "-CApath", certs]
            #expect(try run(verify + [folder.path + "/ca.pem"]).status == 0)
            #expect(try run(verify + [folder.path + "/strange"]).status != 0)
        }
    }

    @Test func `the hashed directory has the names that openssl rehash gives`() throws {
        try withFolder { folder in
            let same = try CertificateAuthority(name: "same", now: 1_700_000_000).certificate
            try write([same, makeRoot(), makeRoot()], to: folder)
            let bundle = try String(contentsOf: folder.appending(path: "bundle.pem"), encoding: .utf8)
            let rehashed = folder.appending(path: "rehashed")
            try FileManager.default.createDirectory(at: rehashed, withIntermediateDirectories: false)
            for (index, certificate) in try Certificate.chain(pem: bundle).enumerated() {
                try Data(certificate.pem().utf8).write(to: rehashed.appending(path: "\(index).pem"))
            }
            #expect(try run(["openssl", "rehash", rehashed.path]).status == 0)
            let links = try names(in: rehashed).filter { !$0.hasSuffix(".pem") }
            #expect(try names(in: folder.appending(path: "certs")) == links)
        }
    }

    @Test func `keytool lists as many entries as the bundle holds, the system's roots among them`() throws {
        try withFolder { folder in
            let sources = TrustSources(environment: [:])
            #expect(sources.warnings.isEmpty)
            #expect(sources.certificates.count > 50)
            try write(sources.certificates, to: folder)
            let bundle = try String(contentsOf: folder.appending(path: "bundle.pem"), encoding: .utf8)
            let count = try Certificate.chain(pem: bundle).count
            let words = ["keytool", "-J-Duser.language=en", "-list", "-storepass", "changeit", "-keystore"]
            let said = try run(words + [folder.path + "/truststore.p12"]).output
            #expect(said.contains("contains \(count) entries"))
            #expect(said.components(separatedBy: "trustedCertEntry").count - 1 == count)
        }
    }

    @Test func `a second kit takes the place of the first as a whole`() throws {
        try withFolder { folder in
            try write([makeRoot(), makeRoot()], to: folder)
            let first = try names(in: folder.appending(path: "certs"))
            try write([], to: folder)
            let second = try names(in: folder.appending(path: "certs"))
            #expect(second == ["\(root.subjectHash).0"])
            #expect(first.contains(second[0]))
            #expect(try names(in: folder).filter { $0.contains("draft") }.isEmpty)
        }
    }

    @Test func `files that variables name are taken in, and what cannot be read is said`() throws {
        try withFolder { folder in
            let mine = try makeRoot("mine")
            let file = folder.appending(path: "mine.pem")
            try Data(mine.pem().utf8).write(to: file)
            try Data("hello".utf8).write(to: folder.appending(path: "hello"))
            let count = TrustSources(environment: [:]).certificates.count
            let sources = TrustSources(environment: [
                "SSL_CERT_FILE": file.path, "REQUESTS_CA_BUNDLE": file.path, "CURL_CA_BUNDLE": "/no/such/file",
                "NODE_EXTRA_CA_CERTS": folder.path + "/hello",
            ])
            #expect(sources.certificates.count == count + 1)
            #expect(try sources.certificates.last?.pem() == mine.pem())
            #expect(sources.warnings.count == 2)
            #expect(sources.warnings[0].hasPrefix("CURL_CA_BUNDLE (/no/such/file) cannot be read"))
            #expect(sources.warnings[1].contains("not a file of certificates in PEM"))
        }
    }

    @Test func `env.sh sets the variables in a shell and keeps what is there`() throws {
        try withFolder { folder in
            try write([], to: folder)
            let said = try run(
                ["sh", "-c", ". \"$0/env.sh\"; env", folder.path],
                environment: ["NO_PROXY": "a.test", "JAVA_TOOL_OPTIONS": "-Xmx1g"])
            let lines = said.output.split(separator: "\n").map(String.init)
            #expect(lines.contains("NO_PROXY=a.test,localhost"))
            #expect(lines.contains("no_proxy=localhost"))
            #expect(lines.contains("SSL_CERT_FILE=\(folder.path)/bundle.pem"))
            #expect(lines.contains { $0.hasPrefix("JAVA_TOOL_OPTIONS=-Xmx1g -Dhttp.proxyHost=") })
        }
    }
}
