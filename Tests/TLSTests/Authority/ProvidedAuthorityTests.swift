import Foundation
import Testing

@testable import TLS

/// Authorities that others made, here with openssl.
@Suite struct ProvidedAuthorityTests {
    /// Behind the beginning of what openssl has just made.
    private static var now: Int { Int(Date().timeIntervalSince1970) }

    @Test(
        "A root of any kind of key signs leaves itself",
        arguments: ["rsa:2048", "ec", "ed25519"])
    func root(kind: String) throws {
        try withFolder { folder in
            let made = try makeRoot(kind, folder)
            let authority = try InterceptionAuthority(certificatePEM: made.certificate, keyPEM: made.key)
            #expect(authority.chain.isEmpty)
            #expect(authority.certificates.count == 1)
            let identity = try LeafStore(authority: authority) { Self.now }.identity(for: "shop.test")
            #expect(identity.chain.count == 1)
            try verify(identity.chain, trusting: authority.trustAnchorPEM, in: folder)
        }
    }

    @Test("An intermediate is sent with its leaves, up to a root that is not, or to where the file ends")
    func intermediate() throws {
        try withFolder { folder in
            let root = try makeRoot("rsa:2048", folder)
            try root.certificate.write(toFile: path(folder, "root.pem"), atomically: false, encoding: .utf8)
            try "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\nsubjectKeyIdentifier=hash\n".write(
                toFile: path(folder, "extensions"), atomically: false, encoding: .utf8)
            try openssl(
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-nodes", "-subj", "/CN=middle",
                "-keyout", path(folder, "middle.key"), "-out", path(folder, "middle.csr"))
            try openssl(
                "x509", "-req", "-days", "100", "-in", path(folder, "middle.csr"), "-CA", path(folder, "root.pem"),
                "-CAkey", path(folder, "key.pem"), "-extfile", path(folder, "extensions"), "-out",
                path(folder, "middle.pem"))
            let middle = try text(folder, "middle.pem")
            let key = try text(folder, "middle.key")
            let whole = try InterceptionAuthority(certificatePEM: middle + root.certificate, keyPEM: key)
            #expect(whole.chain.count == 1 && whole.certificates.count == 2)
            #expect(whole.trustAnchor.isSelfIssued)
            #expect(whole.notAfter < Self.now + 101 * 86400)
            let leaves = try LeafStore(authority: whole) { Self.now }
            try verify(leaves.identity(for: "shop.test").chain, trusting: root.certificate, in: folder)

            let alone = try InterceptionAuthority(certificatePEM: middle, keyPEM: key)
            #expect(alone.chain.count == 1 && !alone.trustAnchor.isSelfIssued)
            let leaf = try LeafStore(authority: alone) { Self.now }.identity(for: "shop.test")
            try verify(leaf.chain, trusting: root.certificate, in: folder)
        }
    }

    @Test("An encrypted key is refused without asking for its password")
    func encrypted() throws {
        try withFolder { folder in
            let made = try makeRoot("rsa:2048", folder)
            try openssl(
                "pkcs8", "-topk8", "-passout", "pass:x", "-in", path(folder, "key.pem"), "-out", path(folder, "enc.pem")
            )
            #expect(throws: TLSError(.malformedInput, "")) {
                try InterceptionAuthority(certificatePEM: made.certificate, keyPEM: text(folder, "enc.pem"))
            }
        }
    }

    private func makeRoot(_ kind: String, _ folder: URL) throws -> (certificate: String, key: String) {
        try openssl(
            "req", "-x509", "-newkey", kind, "-pkeyopt", kind == "ec" ? "ec_paramgen_curve:P-256" : "", "-nodes",
            "-days", "365", "-subj", "/CN=a company's root", "-keyout", path(folder, "key.pem"), "-out",
            path(folder, "made.pem"))
        return (try text(folder, "made.pem"), try text(folder, "key.pem"))
    }

    private func verify(_ chain: [Certificate], trusting root: String, in folder: URL) throws {
        try root.write(toFile: path(folder, "trusted.pem"), atomically: false, encoding: .utf8)
        try chain[0].pem().write(toFile: path(folder, "leaf.pem"), atomically: false, encoding: .utf8)
        let between = try chain.dropFirst().map { try $0.pem() }.joined()
        try (between + root).write(toFile: path(folder, "between.pem"), atomically: false, encoding: .utf8)
        try openssl(
            "verify", "-purpose", "sslserver", "-verify_hostname", "shop.test", "-CAfile", path(folder, "trusted.pem"),
            "-untrusted", path(folder, "between.pem"), path(folder, "leaf.pem"))
    }

    private func openssl(_ arguments: String...) throws {
        // An option without a value stands for none.
        var words = arguments
        if let empty = words.firstIndex(of: "") { words.removeSubrange((empty - 1)...empty) }
        let result = try run(["openssl"] + words)
        try #require(result.status == 0, "\(words): \(result.output)")
    }

    private func path(_ folder: URL, _ name: String) -> String { folder.appending(path: name).path }

    private func text(_ folder: URL, _ name: String) throws -> String {
        try String(contentsOfFile: path(folder, name), encoding: .utf8)
    }
}
