import Credentials
import EventLoop
import HTTP
import Telemetry
import Testing

@testable import Proxy

/// `ProxyUsers` and phase *admit*.
@Suite(.timeLimit(.minutes(2)))
struct ProxyUsersTests {
    /// `ann` with the password `pass:word`.
    private static let line = "ann:$2b$04$YYFgcN7InNDquguwvNBbyOfhFg8j7n20dHz5RSxp56V6qtvNkadY."
    private static let right = "Basic YW5uOnBhc3M6d29yZA=="
    private static let wrong = "Basic YW5uOnBhc3M="

    private static func users() throws -> ProxyUsers { ProxyUsers(try UserTable(Array(line.utf8))) }

    private static func fields(_ values: String...) -> Fields {
        var fields = Fields()
        for value in values { fields.append("Proxy-Authorization", value) }
        return fields
    }

    @Test("a credential is verified once and then known, a wrong one as well")
    func memory() async throws {
        try await onLoop { loop in
            let users = try Self.users()
            #expect(users.known(Self.fields()) == .missing)
            #expect(users.known(Self.fields(Self.right, Self.right)) == .wrong)
            for (value, verdict) in [(Self.right, ProxyUsers.Verdict.admitted), (Self.wrong, .wrong)] {
                #expect(users.known(Self.fields(value)) == nil)
                #expect(await users.verify(Self.fields(value), on: loop) == verdict)
                #expect(users.known(Self.fields(value)) == verdict)
            }
            #expect(await users.verify(Self.fields("Digest x"), on: loop) == .wrong)
        }
    }

    @Test("many at once: the same credential is verified once, too many different ones are refused")
    func flood() async throws {
        try await onLoop { loop in
            let users = try Self.users()
            let verdicts = await withTaskGroup(of: ProxyUsers.Verdict.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        await loop.run {
                            let value = number < 100 ? Self.right : "Basic YW5uOn\(String(number + 1000))"
                            return await users.verify(Self.fields(value), on: loop)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(verdicts.count { $0 == .admitted } == 100)
            #expect(verdicts.allSatisfy { $0 == .admitted || $0 == .wrong || $0 == .busy })
        }
    }

    @Test("a request without a user, or a wrong one, gets 407 and keeps its connection; the field goes no further")
    func requests() async throws {
        let users = try Self.users()
        try await Rig.with({ $0.configuration.users = users }) { origin in
            while await origin.nextHead() != nil { origin.send(answer()) }
        } _: { rig in
            let client = try await rig.connect()
            let lines = ["X: 1", "Proxy-Authorization: \(Self.wrong)", "Proxy-Authorization: \(Self.right)"]
            for (line, status) in zip(lines, [407, 407, 200]) {
                client.send(rig.head("GET", "/", line))
                let head = await client.text(through: "\r\n\r\n") ?? ""
                #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(head)")
                #expect(head.contains("\r\nProxy-Authenticate: Basic realm=\"waf-token-proxy\"\r\n") == (status == 407))
                #expect(await client.text(through: status == 200 ? "ok" : "\n") != nil)
            }
            client.close()
            #expect(rig.heads.withLock { $0.count == 1 && !$0[0].lowercased().contains("proxy-auth") })
            let target = "CONNECT \(rig.origin) HTTP/1.1\r\nHost: \(rig.origin)\r\nConnection: close\r\n\r\n"
            let tunnel = try await rig.talk(target)
            #expect(tunnel.text.hasPrefix("HTTP/1.1 407 "))
        }
    }
}
