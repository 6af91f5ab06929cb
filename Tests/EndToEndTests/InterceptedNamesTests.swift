import Foundation
import Testing

/// Interception of hosts with names of every kind, seen from a client that trusts our authority alone.
@Suite(.timeLimit(.minutes(10)))
struct InterceptedNamesTests {
    private struct Case {
        let authority: String
        let name: String?

        /// - Parameter name: what the client says in SNI (RFC 6066 §3); nil: nothing, as for addresses.
        init(_ authority: String, sni name: String?) {
            self.authority = authority
            self.name = name
        }

        func json(asks: Bool) -> JSON {
            ["authority": .string(authority), "sni": name.map { .string($0) } ?? .null, "asks": .bool(asks)]
        }
    }

    private static let long = (0..<4).map { _ in String(repeating: "n", count: 47) }.joined(separator: ".") + ".test"

    /// Every name that the cases below use leads to the emulator, whose certificate is for none of them.
    private func proxy(_ rig: Rig, _ emulator: Emulator) async throws -> RunningProxy {
        let hosts: [JSON] = [
            "shop.test", "*.shop.test", "under_score.test", "xn--bcher-kva.test", .string(Self.long), "192.0.2.9",
            "[2001:db8::7]",
        ]
        let names = ["shop.test", "a.shop.test", "b_c.shop.test", "under_score.test", "xn--bcher-kva.test", Self.long]
        var resolve = ["192.0.2.9:443": emulator.https, "[2001:db8::7]:443": emulator.https]
        for name in names { resolve[name + ":443"] = emulator.https }
        return try await rig.proxy(
            source: try rig.staticSource("static-token-5e1f"), resolve: resolve,
            provider: ["hosts": .array(hosts), "allowInsecureToken": true],
            more: ["upstream": ["insecureHosts": .array(hosts)]])
    }

    /// The authority that this proxy made.
    private func authority(_ rig: Rig) throws -> String {
        let folder = rig.folder + "/.local/share/waf-token-proxy"
        let made = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
        try #require(made.count == 1)
        return "\(folder)/\(made[0])/authority.pem"
    }

    private func visit(
        _ rig: Rig, _ proxy: RunningProxy, _ cases: [Case], asks: Bool = true
    ) async throws -> [JSON] {
        let file = try rig.write(cases.map { $0.json(asks: asks).text + "\n" }.joined(), to: "cases")
        let client = try await rig.run(
            Places.python,
            [Places.support("intercepted_names.py"), "\(proxy.address)", try authority(rig), file],
            within: .seconds(120))
        try #require(client.status == .exited(0), "\(client.errors)")
        return String(decoding: client.output, as: UTF8.self).split(separator: "\n").compactMap { JSON(parsing: $0) }
    }

    @Test func `names of every kind are intercepted with a leaf of their own, and the origin gets the token`()
        async throws
    {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            try await emulator.setRules([("/", "allow")])
            let proxy = try await proxy(rig, emulator)
            let cases = [
                Case("shop.test:443", sni: "shop.test"), Case("SHOP.Test:443", sni: "Shop.TEST"),
                Case("shop.test.:443", sni: "shop.test"), Case("shop.test:443", sni: nil),
                Case("a.shop.test:443", sni: "a.shop.test"), Case("b_c.shop.test:443", sni: "b_c.shop.test"),
                Case("under_score.test:443", sni: "under_score.test"),
                Case("xn--bcher-kva.test:443", sni: "xn--bcher-kva.test"),
                Case("\(Self.long):443", sni: Self.long), Case("192.0.2.9:443", sni: nil),
                Case("[2001:db8::7]:443", sni: nil),
                Case("[2001:DB8:0:0:0:0:0:7]:443", sni: nil),
            ]
            let found = try await visit(rig, proxy, cases)
            #expect(found.count == cases.count)
            for (one, found) in zip(cases, found) {
                #expect(found["is_for_host"].bool == true, "\(one): \(found)")
                #expect(found["status"].integer == 200, "\(one): \(found)")
                #expect(found["token"].string == "static-token-5e1f", "\(one): \(found)")
            }
        }
    }

    @Test func `another name in the hello than in CONNECT is refused, and a name that is not ASCII gets a 400`()
        async throws
    {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await proxy(rig, emulator)
            let found = try await visit(
                rig, proxy,
                [
                    Case("shop.test:443", sni: "evil.test"), Case("192.0.2.9:443", sni: "shop.test"),
                    Case("bücher.test:443", sni: nil),
                ])
            for refused in found.prefix(2) {
                #expect(refused["error"].string?.contains("UNRECOGNIZED_NAME") == true, "\(refused)")
            }
            #expect(found.last?["connect"].integer == 400, "\(found)")
            #expect(try await emulator.requests().isEmpty)
        }
    }

    @Test(.enabled(if: Places.patience == 1, "a sanitizer keeps freed memory"))
    func `two thousand hosts leave memory bounded and no descriptor open`() async throws {
        try await Rig.with { rig in
            let proxy = try await proxy(rig, try await rig.emulator())
            func hosts(_ numbers: Range<Int>) -> [Case] {
                numbers.map { Case("h\($0).shop.test:443", sni: "h\($0).shop.test") }
            }
            let first = try await visit(rig, proxy, hosts(0..<1200), asks: false)
            #expect(first.count { $0["is_for_host"].bool == true } == 1200)
            let before = try await resting(proxy)
            let rest = try await visit(rig, proxy, hosts(1200..<2000), asks: false)
            #expect(rest.count { $0["is_for_host"].bool == true } == 800)
            let after = try await resting(proxy)
            #expect(after.descriptors == before.descriptors)
            // The cache was full before: 800 leaves more would be 2.2 MB.
            #expect(after.kilobytes - before.kilobytes < 1500, "\(before), \(after)")
        }
    }

    /// Open descriptors and resident memory, once every client's connection is closed.
    private func resting(_ proxy: RunningProxy) async throws -> (descriptors: Int, kilobytes: Int) {
        let id = proxy.process.pid
        let sockets = try await eventually("connections still open") { () -> Int? in
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count
            let table = try String(contentsOfFile: "/proc/\(id)/net/tcp", encoding: .utf8)
            let port = String(format: ":%04X", proxy.address.port)
            let established = table.split(separator: "\n").contains { line in
                let words = line.split(separator: " ")
                return words.count > 3 && words[1].hasSuffix(port) && words[3] != "0A" && words[3] != "06"
            }
            return established ? nil : open
        }
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (sockets, Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0)
    }
}
