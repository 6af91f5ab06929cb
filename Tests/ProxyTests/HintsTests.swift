import Foundation
import HTTP
import Telemetry
import Testing
import Upstream
import WAFTokens

@testable import Proxy

@Suite struct HintsTests {
    private struct NoSource: TokenSource {
        func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer {
            throw SourceError(.internalError, "none")
        }
    }

    private func table() throws -> HostTable<ProxyProvider> {
        let provider = try WAFTokenProvider(
            WAFConfiguration(domainName: "shop.test"), source: NoSource(), name: "shop")
        return try HostTable([
            (
                patterns: [try HostPattern("shop.test"), try HostPattern("*.shop.test:8443")],
                value: ProxyProvider(provider: provider, policy: AttachPolicy())
            )
        ])
    }

    /// The lines that `body` makes the hints say, without their times.
    private func lines(_ body: (Hints) throws -> Void) async throws -> [String] {
        try await loggedLines { try body(Hints(logger: $0)) }
    }

    private func at(_ host: String, _ port: UInt16) -> Authority { Authority(host: host, port: port) }

    @Test("a listed host on another port, by pattern or by name, is told once a host; others never")
    func unlistedPort() async throws {
        let table = try table()
        let lines = try await lines { hints in
            for port: UInt16 in [81, 82] { hints.unlisted(at("shop.test", port), among: table, [:]) }
            hints.unlisted(at("a.shop.test", 443), among: table, [:])
            hints.unlisted(at("open.test", 80), among: table, [:])
            hints.unlisted(at("shop.test", 81), among: HostTable(), [:])
        }
        #expect(lines.count == 2)
        #expect(lines[0].contains("host=shop.test port=81") && lines[0].contains(#"add \"shop.test:81\""#), "\(lines)")
        #expect(lines[1].contains("host=a.shop.test port=443"))
    }

    @Test("an address is told of only where a listed name is resolved to it")
    func address() async throws {
        let table = try table()
        let resolve = [
            at("open.test", 80): Endpoint(host: "10.0.0.1", port: 8000),
            at("shop.test", 80): Endpoint(host: "10.0.0.1", port: 8000),
        ]
        let lines = try await lines { hints in
            hints.unlisted(at("10.0.0.2", 8000), among: table, resolve)
            hints.unlisted(at("10.0.0.1", 8000), among: table, resolve)
            hints.challenged(at("10.0.0.1", 8000), provider: nil, nil)
        }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("let clients use shop.test:80") == true)
    }

    @Test("a tunnel to a listed host says what to do, one to another port what to list")
    func tunnels() async throws {
        let table = try table()
        let lines = try await lines { hints in
            for _ in 0..<2 { hints.tunnelled(at("shop.test", 443), among: table, [:]) }
            hints.tunnelled(at("b.shop.test", 443), among: table, [:])
            hints.tunnelled(at("open.test", 443), among: table, [:])
        }
        #expect(lines.count == 2)
        #expect(lines[0].contains("upgradeToTLS") && lines[0].contains("provider=shop"))
        #expect(lines[1].contains("b.shop.test:443"))
    }

    @Test("a challenge that goes to the client has its reason, each once a host")
    func challenges() async throws {
        let lines = try await lines { hints in
            for _ in 0..<2 {
                hints.challenged(at("open.test", 80), provider: nil, nil)
                for belonging in [
                    Belonging.preflight, .outsideCookiePath, .unverifiedOrigin, .clientHasToken, .yes,
                ] { hints.challenged(at("shop.test", 443), provider: "shop", belonging) }
                hints.refusedInClear(at("shop.test", 80), provider: "shop")
            }
        }
        let settings = [
            #"hosts: add \"open.test:80\""#, "attachToPreflight", "tokenCookiePath", "allowInsecureToken",
            "clientToken: replace", "allowPlainHTTP",
        ]
        #expect(lines.count == settings.count)
        for (line, setting) in zip(lines, settings) {
            #expect(line.hasPrefix("warning ") && line.contains(setting), "\(line)")
        }
    }

    @Test("clients that make up hosts fill nothing without end")
    func bound() async throws {
        let table = try table()
        let lines = try await lines { hints in
            for number in 0..<2000 { hints.unlisted(at("h\(number).shop.test", 80), among: table, [:]) }
        }
        #expect(lines.count == Hints.toldLimit)
    }
}
