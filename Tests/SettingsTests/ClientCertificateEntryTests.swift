import Testing

@testable import Settings

@Suite struct ClientCertificateEntryTests {
    @Test(arguments: [
        ("shop.test=c.pem:c.key", ["shop.test"], "c.pem", "c.key"),
        ("Shop.TEST.=both.pem", ["shop.test"], "both.pem", "both.pem"),
        ("*.a.test|b.test:8443|[0::1]:*=/run/c:/run/k", ["*.a.test", "b.test:8443", "[::1]:*"], "/run/c", "/run/k"),
        ("a.test=x=y.pem:z=.key", ["a.test"], "x=y.pem", "z=.key"),
        ("a.test=a b.pem", ["a.test"], "a b.pem", "a b.pem"),
    ])
    func `a text is hosts, a certificate and a key, and comes out as it is read`(
        text: String, hosts: [String], certificate: String, key: String
    ) throws {
        let entry = try #require(ClientCertificateEntry(text))
        #expect(entry.hosts == hosts)
        #expect(entry.certificate == certificate)
        #expect(entry.key == key)
        #expect(ClientCertificateEntry(entry.description) == entry)
    }

    @Test(arguments: [
        "", "a.test", "a.test=", "=c.pem", "a.test=:", "a.test=c.pem:", "a.test=:c.key", "a.test=a:b:c",
        "|a.test=c.pem",
        "a.test|=c.pem", "a b=c.pem", "a.test=c\u{1}.pem", "a.test=c.pem:k\u{7f}",
        "a.test=" + String(repeating: "x", count: 4097),
    ])
    func `a part that is missing, one too many and what is no path are refused`(text: String) {
        #expect(ClientCertificateEntry(text) == nil)
    }

    @Test func `what the file gives in parts is held to the same rules`() {
        let entry = ClientCertificateEntry(checking: ["A.test", "*.b.test"], "c:1.pem", "k")
        #expect(entry?.hosts == ["a.test", "*.b.test"])
        #expect(entry?.certificate == "c:1.pem")
        #expect(ClientCertificateEntry(checking: [], "c", "k") == nil)
        #expect(ClientCertificateEntry(checking: ["a.test", "-"], "c", "k") == nil)
        #expect(ClientCertificateEntry(checking: ["a.test"], "", "k") == nil)
        #expect(ClientCertificateEntry(checking: ["a.test"], "c", "") == nil)
    }
}
