import Foundation
import Settings
import TLS
import Testing
import WAFTokens

@testable import ProxyKit

@Suite struct AuthorityStoreTests {
    private static let now = 1_800_000_000
    private static let day = 86_400

    private func settings(in folder: String) -> InterceptSettings {
        var settings = InterceptSettings()
        settings.caDirectory = folder
        return settings
    }

    private func open(
        _ settings: InterceptSettings, _ hosts: [String] = ["shop.test"], now: Int = now
    ) throws -> OpenedAuthority {
        try AuthorityStore.open(settings, hosts: hosts.map { try HostPattern($0) }, now: now)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("The first start makes an authority for this user alone, the next ones keep it")
    func kept() throws {
        try inFolder { base in
            let settings = settings(in: base + "/new/deep")
            let first = try open(settings)
            #expect(first.event == .created)
            guard case .file(let path) = first.place else { return #expect(Bool(false)) }
            #expect(try mode(path) == 0o600)
            #expect(try mode(base + "/new") == 0o700)
            #expect(try mode((path as NSString).deletingLastPathComponent) == 0o700)
            let second = try open(settings, ["SHOP.test.:8443", "shop.test"], now: Self.now + 600 * Self.day)
            #expect(second.event == .kept)
            #expect(second.trustAnchorPEM == first.trustAnchorPEM)
            #expect(try FileManager.default.contentsOfDirectory(atPath: base + "/new/deep").count == 1)
        }
    }

    @Test("Each set of hosts has an authority of its own, also no set at all")
    func sets() throws {
        try inFolder { base in
            var settings = settings(in: base)
            let one = try open(settings)
            let two = try open(settings, ["shop.test", "192.0.2.1"])
            settings.nameConstraints = false
            let free = try open(settings)
            #expect(Set([one, two, free].map(\.trustAnchorPEM)).count == 3)
            #expect(free.constraints == nil && one.constraints != nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: base).count == 3)
        }
    }

    @Test("An authority covers hosts below its own, and tells which one it does not cover")
    func refused() throws {
        try inFolder { (base: String) throws in
            var settings = settings(in: base)
            func refused(_ hosts: [String]) throws -> String? {
                let opened = try open(settings, ["shop.test", "*.bank.test"])
                return opened.refused(among: try hosts.map { try HostPattern($0) })?.description
            }
            #expect(try refused(["*.shop.test:8443", "a.bank.test", "shop.test:*"]) == nil)
            #expect(try refused(["shop.test", "bank.test"]) == "bank.test")
            #expect(try refused(["*.test"]) == "*.test")
            #expect(try refused(["10.0.0.1"]) == "10.0.0.1")
            settings.nameConstraints = false
            #expect(try refused(["other.test", "10.0.0.1"]) == nil)
        }
    }

    @Test("An authority in memory leaves nothing behind, and is another one each time")
    func ephemeral() throws {
        try inFolder { base in
            var settings = settings(in: base)
            settings.ephemeralCA = true
            let one = try open(settings)
            #expect(one.place == .memory)
            #expect(try open(settings).trustAnchorPEM != one.trustAnchorPEM)
            #expect(try FileManager.default.contentsOfDirectory(atPath: base).isEmpty)
        }
    }

    @Test("Thirty days before its end it is made anew, and that is said")
    func renewal() throws {
        try inFolder { base in
            let settings = settings(in: base)
            let first = try open(settings)
            #expect(try open(settings, now: Self.now + 699 * Self.day).event == .kept)
            let second = try open(settings, now: Self.now + 701 * Self.day)
            #expect(second.event == .renewed)
            #expect(second.trustAnchorPEM != first.trustAnchorPEM)
            #expect(try open(settings, now: Self.now + 702 * Self.day).event == .kept)
            #expect(try open(settings, now: Self.now + 2000 * Self.day).event == .renewed)
        }
    }

    @Test("One that cannot be renewed yet is used with a warning, one that has ended is a fault")
    func renewalFails() throws {
        try inFolder { base in
            let settings = settings(in: base)
            let first = try open(settings)
            guard case .file(let path) = first.place else { return #expect(Bool(false)) }
            let folder = (path as NSString).deletingLastPathComponent
            // Keeps root out as well, whom permissions do not.
            try FileManager.default.removeItem(atPath: folder + "/lock")
            try FileManager.default.createDirectory(atPath: folder + "/lock", withIntermediateDirectories: false)
            #expect(try open(settings).warnings.isEmpty)
            let late = try open(settings, now: Self.now + 701 * Self.day)
            #expect(late.trustAnchorPEM == first.trustAnchorPEM)
            #expect(late.warnings.count == 1 && late.warnings[0].contains("ends on 2029-"))
            #expect(throws: RunningProxy.Failure.self) { try open(settings, now: Self.now + 731 * Self.day) }
        }
    }

    @Test("Without a host there is no authority, and without a home no directory for it")
    func nothing() throws {
        #expect(throws: RunningProxy.Failure.self) { try open(InterceptSettings(), []) }
        let some = ["XDG_DATA_HOME": "/data", "HOME": "/home/me"]
        #expect(AuthorityStore.defaultDirectory { some[$0] } == "/data/waf-token-proxy")
        #expect(AuthorityStore.defaultDirectory { ["HOME": "/me"][$0] } == "/me/.local/share/waf-token-proxy")
        let relative = ["XDG_DATA_HOME": "data", "HOME": "/me"]
        #expect(AuthorityStore.defaultDirectory { relative[$0] } == "/me/.local/share/waf-token-proxy")
        #expect(AuthorityStore.defaultDirectory { _ in nil } == nil)
    }

    @Test("A key that others can read is refused", arguments: [0o640, 0o604, 0o660, 0o777])
    func openKey(mode: Int) throws {
        try expectRefusal("has mode \(String(mode, radix: 8))") { path in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }

    @Test("What is no authority is refused, and left as it is", arguments: ["", "nonsense", "half"])
    func corrupt(kind: String) throws {
        try expectRefusal("holds no certificate authority") { path in
            let whole = try String(contentsOfFile: path, encoding: .utf8)
            let text = kind == "half" ? String(whole.prefix(whole.utf8.count / 2)) : kind
            try text.write(toFile: path, atomically: false, encoding: .utf8)
        }
    }

    @Test("A key of another authority is refused")
    func otherKey() throws {
        try expectRefusal("the key does not belong to the first certificate") { path in
            let whole = try String(contentsOfFile: path, encoding: .utf8)
            let end = try #require(whole.range(of: "-----END PRIVATE KEY-----\n"))
            let other = try PrivateKey.generateP256().pem()
            try (other + whole[end.upperBound...]).write(toFile: path, atomically: false, encoding: .utf8)
        }
    }

    @Test("A link or a folder in the place of the file is refused", arguments: [true, false])
    func noFile(isLink: Bool) throws {
        try expectRefusal("cannot read the certificate authority") { path in
            try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
            if isLink {
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
            } else {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
        }
    }

    /// Spoils a kept authority; opening it fails with one line that names the file, and changes nothing.
    private func expectRefusal(_ part: String, spoil: (String) throws -> Void) throws {
        try inFolder { base in
            let settings = settings(in: base)
            guard case .file(let path) = try open(settings).place else { return #expect(Bool(false)) }
            try spoil(path)
            let folder = (path as NSString).deletingLastPathComponent
            let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            let failure = #expect(throws: RunningProxy.Failure.self) { try open(settings) }
            let text = failure?.description ?? ""
            #expect(text.contains(part) && text.contains(path) && !text.contains("\n"), "\(text)")
            #expect(!text.contains("PRIVATE"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
        }
    }

    @Test("A directory that cannot be made is named with user and remedy")
    func unwritable() throws {
        for directory in ["/proc/none", "/dev/null/below"] {
            let failure = #expect(throws: RunningProxy.Failure.self) { try open(settings(in: directory)) }
            let text = failure?.description ?? ""
            for part in [directory, "as user \(geteuid())", "--ca-directory", "--ca-ephemeral"] {
                #expect(text.contains(part), "\(text)")
            }
        }
    }

    @Test("Many that start at once come to one authority")
    func atOnce() async throws {
        try await inFolder { base in
            let settings = settings(in: base)
            let opened = try await withThrowingTaskGroup { group in
                for _ in 0..<16 { group.addTask { try open(settings) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(opened.map(\.trustAnchorPEM)).count == 1)
            #expect(opened.count { $0.event == .created } == 1)
        }
    }

    @Test("What a killed process left half-written is replaced")
    func leftover() throws {
        try inFolder { base in
            let settings = settings(in: base)
            guard case .file(let path) = try open(settings).place else { return #expect(Bool(false)) }
            try FileManager.default.moveItem(atPath: path, toPath: path + ".new")
            #expect(try open(settings).event == .created)
            #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        }
    }
}
