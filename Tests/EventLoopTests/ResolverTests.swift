import EventLoop
import Testing

@Suite struct ResolverTests {
    @Test("a literal needs no look-up, localhost resolves to loopback, and an unknown name is an error with its name")
    func resolves() async throws {
        let (literal, local, unknown) = try await onLoop { loop in
            let literal = try await Resolver.resolve(host: "192.0.2.7", port: 81, on: loop)
            let local = try await Resolver.resolve(host: "localhost", port: 80, on: loop)
            do throws(ResolveError) {
                _ = try await Resolver.resolve(host: "no-such-host.invalid", port: 80, on: loop)
                return (literal, local, nil as ResolveError?)
            } catch {
                return (literal, local, error)
            }
        }
        #expect(literal.map(\.description) == ["192.0.2.7:81"])
        #expect(!local.isEmpty && local.allSatisfy(\.isLoopback))
        #expect(unknown?.host == "no-such-host.invalid")
    }
}
