import Foundation
import Testing

@testable import TLS

/// What real programs make of the chains: OpenSSL, Java, Go, NSS, Python, and GnuTLS (wget and git on Debian).
@Suite struct RealClientTests {
    enum Program: String, Sendable, CaseIterable { case openssl, java, go, nss, python, gnutls }

    /// A host, and whether its leaf is acceptable below an authority for these hosts; nil: for all.
    private struct Case {
        let listed: [String]?
        let host: String
        let isAccepted: Bool

        init(_ listed: [String]?, _ host: String, _ isAccepted: Bool) {
            self.listed = listed
            self.host = host
            self.isAccepted = isAccepted
        }
    }

    private static let names = ["shop.test", "*.api.bank.test"]
    private static let addresses = ["192.0.2.1", "2001:db8::1"]
    private static let long = String(repeating: "long.", count: 39) + "test"
    private static let cases = [
        Case(names, "shop.test", true), Case(names, "www.shop.test", true), Case(names, "a.api.bank.test", true),
        Case(names, "other.test", false), Case(names, "workshop.test", false), Case(names, "api.bank.test", false),
        Case(names, "192.0.2.1", false), Case(names, "2001:db8::1", false),
        Case(addresses, "192.0.2.1", true), Case(addresses, "2001:db8::1", true),
        Case(addresses, "192.0.2.2", false), Case(addresses, "2001:db8::2", false),
        Case(addresses, "shop.test", false), Case(["192.0.2.1"], "2001:db8::1", false),
        Case(["192.0.2.1"], "192.0.2.1", true), Case(["2001:db8::1"], "2001:db8::1", true),
        Case(["2001:db8::1"], "192.0.2.1", false),
        Case(["192.0.2.1", "shop.test"], "192.0.2.1", true), Case(["192.0.2.1", "shop.test"], "shop.test", true),
        Case(["192.0.2.1", "shop.test"], "other.test", false),
        Case(["a_b.shop.test"], "a_b.shop.test", true), Case([long], long, true), Case([long], "test", false),
        Case(["xn--bcher-kva.test"], "xn--bcher-kva.test", true), Case(nil, "other.test", true),
        Case(nil, "192.0.2.9", true), Case(["localhost"], "localhost", true),
    ]

    @Test("Each accepts a leaf for a listed host, and refuses one for another host", arguments: Program.allCases)
    func chains(program: Program) throws {
        try withFolder { folder in
            let labels = (0..<Self.cases.count).map { "case\($0)" }
            for (label, example) in zip(labels, Self.cases) {
                try write(example, to: folder.appending(path: label))
            }
            let verdicts = try verdicts(of: program, on: labels, in: folder.path)
            try #require(verdicts.count == Self.cases.count, "\(verdicts)")
            for (verdict, example) in zip(verdicts, Self.cases) {
                #expect(verdict.isAccepted == example.isAccepted, "\(example): \(verdict.said)")
                guard !example.isAccepted else { continue }
                #expect(program.words.contains { verdict.said.contains($0) }, "\(example): \(verdict.said)")
            }
        }
    }

    private func write(_ example: Case, to folder: URL) throws {
        let constraints = try example.listed.map { try NameConstraints(hosts: $0) }
        let authority = try InterceptionAuthority(constraints: constraints, now: Pair.now)
        let identity = try LeafStore(authority: authority) { Pair.now }.identity(for: example.host)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        func put(_ text: String, _ name: String) throws {
            try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
        }
        try put(authority.trustAnchorPEM, "root.pem")
        try put(identity.chain.map { try $0.pem() }.joined(), "chain.pem")
        try put(identity.chain[0].pem(), "leaf.pem")
        try put(identity.chain[1].pem(), "intermediate.pem")
        try put(identity.key.pem(), "key.pem")
        try put(example.host, "host")
    }

    private typealias Verdict = (isAccepted: Bool, said: String)

    private func verdicts(of program: Program, on labels: [String], in folder: String) throws -> [Verdict] {
        switch program {
        case .java: return try lines(of: ["java", support("VerifyChains.java"), folder] + labels)
        case .go: return try lines(of: ["go", "run", support("verify_chains.go"), folder] + labels)
        case .python: return try lines(of: ["/usr/bin/python3", support("verify_chains.py"), folder] + labels)
        case .openssl: return try zip(labels, Self.cases).map { try openssl("\(folder)/\($0)", $1.host) }
        case .nss: return try labels.map { try nss("\(folder)/\($0)") }
        case .gnutls: return try zip(labels, Self.cases).map { try gnutls("\(folder)/\($0)", $1.host) }
        }
    }

    /// Of a program that prints one line a case.
    private func lines(of command: [String]) throws -> [Verdict] {
        let result = try run(command)
        return result.output.split(separator: "\n").filter { $0.hasPrefix("case") }.map {
            ($0.hasSuffix(" ok"), String($0))
        }
    }

    private func openssl(_ folder: String, _ host: String) throws -> Verdict {
        let isAddress = IPOctets(host) != nil
        let result = try run([
            "openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "\(folder)/root.pem",
            "-untrusted", "\(folder)/intermediate.pem", isAddress ? "-verify_ip" : "-verify_hostname", host,
            "\(folder)/leaf.pem",
        ])
        return (result.status == 0, result.output)
    }

    private func gnutls(_ folder: String, _ host: String) throws -> Verdict {
        // --verify-hostname takes names alone: a connection to an address is checked elsewhere.
        let name = IPOctets(host) == nil ? ["--verify-hostname", host] : []
        let result = try run(
            ["certtool", "--verify", "--load-ca-certificate", "\(folder)/root.pem", "--verify-purpose"]
                + ["1.3.6.1.5.5.7.3.1"] + name + ["--infile", "\(folder)/chain.pem"])
        return (result.status == 0, result.output)
    }

    private func nss(_ folder: String) throws -> Verdict {
        let database = "sql:\(folder)"
        for command in [
            ["certutil", "-N", "-d", database, "--empty-password"],
            ["certutil", "-A", "-d", database, "-n", "root", "-t", "C,,", "-i", "\(folder)/root.pem"],
        ] {
            let result = try run(command)
            try #require(result.status == 0, "\(result.output)")
        }
        // As a server's certificate (-u 1), saying why not (-v).
        let result = try run([
            "vfychain", "-d", database, "-v", "-u", "1", "-a", "\(folder)/leaf.pem", "-a",
            "\(folder)/intermediate.pem",
        ])
        return (result.status == 0, result.output)
    }

    private func support(_ name: String) -> String {
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(path)/Support/\(name)"
    }
}

extension RealClientTests.Program {
    /// How the program says that a name is outside of the constraints: one of these.
    fileprivate var words: [String] {
        switch self {
        case .openssl, .python: ["permitted subtree violation", "excluded subtree violation"]
        case .java: ["name constraints"]
        case .gnutls: ["violates the signer's constraints"]
        case .go: ["not permitted by any constraint", "excluded by constraint"]
        case .nss: ["not permitted to issue a certificate with this name"]
        }
    }
}
