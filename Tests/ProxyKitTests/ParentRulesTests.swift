import HTTP
import Settings
import Telemetry
import Testing
import Upstream

@testable import ProxyKit

@Suite struct ParentRulesTests {
    private func rules(
        except exceptions: [String] = [], _ change: (inout UpstreamSettings) -> Void = { _ in },
        resolve: [Authority: Endpoint] = [:]
    ) throws -> ParentRules {
        var settings = UpstreamSettings()
        settings.parentProxy = ParentProxy(kind: .http, host: "p.test", port: 3128)
        settings.noParentFor = exceptions.map { NetworkRange($0).map { .network($0) } ?? .host($0) }
        change(&settings)
        return try ParentRules(settings, resolve: resolve)
    }

    private func isSpared(_ rules: ParentRules, _ host: String, _ port: UInt16 = 443) -> Bool {
        rules.parent(.https, Authority(host: host, port: port)) == nil
    }

    @Test func `a host that is spared without a port is spared on every port`() throws {
        let rules = try rules(except: ["a.test", "*.b.test", "c.test:8443"])
        #expect(isSpared(rules, "a.test", 9000) && isSpared(rules, "x.b.test", 1) && isSpared(rules, "c.test", 8443))
        #expect(!isSpared(rules, "x.a.test") && !isSpared(rules, "b.test") && !isSpared(rules, "c.test"))
    }

    @Test func `a network spares hosts that are addresses in it, in any spelling, or are dialled there`() throws {
        let moved = Authority(host: "moved.test", port: 443)
        let rules = try rules(
            except: ["10.0.0.0/8", "::1"], resolve: [moved: Endpoint(host: "10.1.2.3", port: 8443)])
        #expect(isSpared(rules, "10.255.0.1") && isSpared(rules, "::1") && isSpared(rules, "167772161"))
        #expect(isSpared(rules, "moved.test"))
        #expect(!isSpared(rules, "moved.test", 80) && !isSpared(rules, "11.0.0.1") && !isSpared(rules, "ten.test"))
    }

    @Test func `user and password that stand on their own belong to the parent`() throws {
        let rules = try rules {
            $0.parentProxyUser = "rig"
            $0.parentProxyPassword = .init("pw")
        }
        let parent = rules.parent(.http, Authority(host: "a.test", port: 80))
        #expect(parent?.credentials?.user.reveal() == "rig")
        #expect(parent?.credentials?.password.reveal() == "pw")
        #expect(rules.parents == [parent])
    }

    @Test func `without a parent there are no rules`() throws {
        let rules = try rules { $0.parentProxy = nil }
        #expect(rules.parents.isEmpty)
        #expect(isSpared(rules, "a.test"))
    }
}
