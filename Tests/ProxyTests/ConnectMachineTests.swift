import EventLoop
import HTTP
import Testing

@testable import Proxy

/// Conversations: what happens, and what is to be done then.
@Suite struct ConnectMachineTests {
    private let target = Authority(host: "shop.test", port: 443)

    private func machine(rules: DestinationRules = DestinationRules(), fromLoopback: Bool = false) -> ConnectMachine {
        ConnectMachine(target: target, rules: rules, clientIsLoopback: fromLoopback)
    }

    private func address(_ ip: String) throws -> SocketAddress { try #require(SocketAddress(ip: ip, port: 443)) }

    @Test("a name is looked up, its first address dialled, the tunnel established")
    func straight() throws {
        var machine = machine()
        #expect("\(machine.start(endpoint: ("shop.test", 443)))" == #"resolve(host: "shop.test", port: 443)"#)
        let first = machine.resolved(.success([try address("192.0.2.1"), try address("192.0.2.2")]))
        #expect("\(first)" == "dial(192.0.2.1:443)")
        #expect("\(machine.dialled(.success(())))" == "establish")
    }

    @Test("an address that refuses is followed by the next one, and the last error is the answer")
    func fallback() throws {
        var machine = machine()
        _ = machine.start(endpoint: ("shop.test", 443))
        _ = machine.resolved(.success([try address("192.0.2.1"), try address("192.0.2.2")]))
        #expect("\(machine.dialled(.failure(.timedOut)))" == "dial(192.0.2.2:443)")
        guard case .refuse(.dialFailed(.timedOut)) = machine.dialled(.failure(.timedOut)) else {
            Issue.record("the last failure is the answer")
            return
        }
    }

    @Test("forbidden addresses are skipped, and refused when no other is left")
    func forbidden() throws {
        var first = machine()
        _ = first.start(endpoint: ("shop.test", 443))
        let mixed = first.resolved(.success([try address("169.254.169.254"), try address("192.0.2.2")]))
        #expect("\(mixed)" == "dial(192.0.2.2:443)")
        var second = machine()
        _ = second.start(endpoint: ("shop.test", 443))
        guard case .refuse(.destinationProhibited(.loopbackForOthers)) = second.resolved(.success([try address("::1")]))
        else {
            Issue.record("loopback is not for this client")
            return
        }
    }

    @Test("a name that cannot be looked up is the answer")
    func unknown() {
        var machine = machine()
        _ = machine.start(endpoint: ("shop.test", 443))
        let error = ResolveError(host: "shop.test", cause: SystemError(errno: 2, in: "getaddrinfo"))
        guard case .refuse(.nameNotFound(error)) = machine.resolved(.failure(error)) else {
            Issue.record("the look-up's failure is the answer")
            return
        }
    }

    @Test func `a look-up that takes too long is a connection that timed out`() {
        var machine = machine()
        _ = machine.start(endpoint: ("shop.test", 443))
        guard case .refuse(.dialFailed(.timedOut)) = machine.lookUpTimedOut() else {
            Issue.record("the time is up")
            return
        }
    }

    @Test("a denied name is refused without a look-up")
    func denied() throws {
        var machine = ConnectMachine(
            target: Authority(host: "metadata", port: 80), rules: DestinationRules(), clientIsLoopback: true)
        guard case .refuse(.destinationProhibited(.cloudMetadata)) = machine.start(endpoint: ("metadata", 80)) else {
            Issue.record("metadata is refused")
            return
        }
    }
}
