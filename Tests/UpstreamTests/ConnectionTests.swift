import EventLoop
import Foundation
import HTTP
import Testing

@testable import Upstream

/// Where a request may go, how it gets there, and what is said when it does not.
@Suite struct ConnectionTests {
    private func ok() -> RawServer {
        RawServer { connection in
            while connection.readHead() != nil { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
        }
    }

    @Test("a port nobody listens on is refused")
    func refused() async throws {
        let answer = try await withClient { await $0.perform(request(port: 1)) }
        #expect(answer.error?.code == .refused)
        #expect(answer.error?.mayRetry == true)
        #expect(answer.attempts == 0)
    }

    @Test("a name without an address is nameNotFound", arguments: ["no-such-name.invalid", "with space", "a@b", "a/b"])
    func unknownName(host: String) async throws {
        let answer = try await withClient { client in
            var request = request(port: 80)
            guard let authority = try? Authority(parsing: Array("\(host):80".utf8).span, defaultPort: nil) else {
                return Answer(error: UpstreamError(.nameNotFound, "refused by the parser"))
            }
            request.authority = authority
            return await client.perform(request)
        }
        #expect(answer.error?.code == .nameNotFound)
    }

    @Test("a peer that does not answer the connect is a connectTimeout")
    func connectTimeout() async throws {
        // A listener whose queue is full drops further SYNs.
        let full = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(full, $0, length)
                _ = listen(full, 0)
                _ = getsockname(full, $0, &length)
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        var fillers: [Int32] = []
        for _ in 0..<4 {
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(filler, $0, length) }
            }
            fillers.append(filler)
        }
        defer { for descriptor in fillers + [full] { close(descriptor) } }
        let answer = try await withClient({ $0.connectTimeout = .milliseconds(200) }) {
            await $0.perform(request(port: port))
        }
        #expect(answer.error?.code == .connectTimeout)
    }

    @Test("a silent origin is a responseTimeout, counted from the last request byte")
    func responseTimeout() async throws {
        let server = RawServer { $0.readToEnd() }
        defer { server.stop() }
        try await withClient({ $0.responseHeadTimeout = .milliseconds(300) }) { client in
            let answer = await client.perform(request(port: server.port))
            #expect(answer.error?.code == .responseTimeout)

            var post = request("POST", port: server.port, framing: .length(2))
            post.fields.append("Content-Length", "2")
            let exchange = client.start(post)
            exchange.sendBody([1].span)
            await client.loop.sleep(for: .milliseconds(700))
            exchange.sendBody([2].span)
            exchange.finishBody()
            let before = client.loop.now
            await #expect(throws: UpstreamError(.responseTimeout, "")) { try await exchange.responseHead() }
            #expect(client.loop.now - before >= .milliseconds(250))
        }
    }

    @Test("resolve dials another address and port; Host stays")
    func resolve() async throws {
        let server = ok()
        defer { server.stop() }
        let shop = try Authority(parsing: Array("shop.test:80".utf8).span, defaultPort: nil)
        let answer = try await withClient({ $0.resolve = [shop: Endpoint(host: "127.0.0.1", port: server.port)] }) {
            await $0.perform(request(port: 80, host: "shop.test", fields: [("Host", "shop.test")]))
        }
        #expect(answer.text == "ok")
        #expect(server.received() == head("GET / HTTP/1.1", "Host: shop.test"))
    }

    @Test("a host that resolve leads to one place does not share its connections with the same place by address")
    func resolveIsNoAlias() async throws {
        let server = ok()
        defer { server.stop() }
        let shop = try Authority(parsing: Array("shop.test:80".utf8).span, defaultPort: nil)
        try await withClient({ $0.resolve = [shop: Endpoint(host: "127.0.0.1", port: server.port)] }) { client in
            for _ in 0..<2 {
                #expect(await client.perform(request(port: 80, host: "shop.test")).text == "ok")
                #expect(await client.perform(request(port: server.port)).text == "ok")
            }
        }
        #expect(server.connections == 2)
    }

    @Test(
        "the destination is judged on the socket address, whatever the spelling",
        arguments: [
            "127.0.0.1", "2130706433", "0x7f000001", "127.1", "0.0.0.0", "::ffff:127.0.0.1", "::1", "localhost",
        ])
    func judged(host: String) async throws {
        let server = ok()
        defer { server.stop() }
        let answer = try await withClient({
            $0.judgeDestination = { address, _ in address.isLoopback ? "loopback" : nil }
        }) { client in
            // Spelled through `resolve`, so that what is dialled is this text, whatever a parser says to it.
            await client.perform(request(port: server.port, host: host))
        }
        #expect(answer.error?.code == .destinationProhibited, "\(answer)")
        #expect(server.connections == 0)
    }

    @Test("resolve cannot lead around the judge")
    func resolveIsJudged() async throws {
        let server = ok()
        defer { server.stop() }
        let shop = try Authority(parsing: Array("shop.test:80".utf8).span, defaultPort: nil)
        let answer = try await withClient({
            $0.resolve = [shop: Endpoint(host: "127.0.0.1", port: server.port)]
            $0.judgeDestination = { address, _ in address.isLoopback ? "loopback" : nil }
        }) { await $0.perform(request(port: 80, host: "shop.test")) }
        #expect(answer.error?.code == .destinationProhibited)
        #expect(server.connections == 0)
    }

    @Test("a request that refuses loopback gets neither a new connection nor a pooled one")
    func refusesLoopback() async throws {
        let server = ok()
        defer { server.stop() }
        try await withClient { client in
            var mine = request(port: server.port)
            mine.refusesLoopback = true
            #expect(await client.perform(mine).error?.code == .destinationProhibited)
            #expect(await client.perform(request(port: server.port)).text == "ok")
            #expect(await client.perform(mine).error?.code == .destinationProhibited)
        }
        #expect(server.received().components(separatedBy: "GET").count == 2)
    }

    @Test("a request that refuses loopback goes to the loopback addresses that are listed, new and pooled")
    func listedLoopback() async throws {
        let server = ok()
        defer { server.stop() }
        try await withClient({ $0.isLoopbackListed = { address, _ in address.host == "127.0.0.1" } }) { client in
            var mine = request(port: server.port)
            mine.refusesLoopback = true
            #expect(await client.perform(mine).text == "ok")
            #expect(await client.perform(mine).text == "ok")
            mine = request(port: server.port, host: "127.0.0.2")
            mine.refusesLoopback = true
            #expect(await client.perform(mine).error?.code == .destinationProhibited)
        }
    }

    @Test("a request that needs a private peer goes to loopback")
    func privatePeer() async throws {
        let server = ok()
        defer { server.stop() }
        let answer = try await withClient { client in
            var mine = request(port: server.port)
            mine.requiresPrivatePeer = true
            return await client.perform(mine)
        }
        #expect(answer.text == "ok")
    }

    @Test("a request that needs a private peer is stopped before it goes to a public one, pooled or not")
    func publicPeer() async throws {
        let server = ok()
        defer { server.stop() }
        try await withClient { client in
            var mine = request(port: server.port)
            mine.requiresPrivatePeer = true
            // No public address can be connected in a test: tell the exchange that its connection leads to one.
            let exchange = client.start(mine)
            #expect(!exchange.willSend(to: SocketAddress(ip: "203.0.113.7", port: 80)))
            await #expect(throws: UpstreamError(.clearTextRefused, "")) { try await exchange.responseHead() }
        }
        #expect(server.received().isEmpty)
    }

    @Test("a name whose first address does not answer is tried on the next", arguments: [false, true])
    func nextAddress(byRule: Bool) async throws {
        // localhost is ::1 and 127.0.0.1 to libcurl; the second socket gets the first one's descriptor number.
        let server = ok()
        defer { server.stop() }
        try await withClient({ configuration in
            if byRule { configuration.judgeDestination = { address, _ in address.isIPv4 ? nil : "IPv6" } }
        }) { client in
            for _ in 0..<3 {
                let close = [("Host", "h"), ("Connection", "close")]
                let answer = await client.perform(request(port: server.port, host: "localhost", fields: close))
                #expect(answer.text == "ok", "\(answer)")
            }
        }
    }

    @Test("cancelling while the name is looked up does not wait for the look-up")
    func cancelLookup() async throws {
        try await withClient { client in
            for _ in 0..<20 {
                let exchange = client.start(request(port: 80, host: "no-such-name.invalid"))
                exchange.cancel()
                do throws(UpstreamError) {
                    try await exchange.responseHead()
                    Issue.record("a name that does not exist was found")
                } catch {
                    #expect(error.code == .cancelled || error.code == .nameNotFound)  // where the answer is quicker
                }
            }
        }
    }

    @Test("IPv6 literals are dialled")
    func ipv6() async throws {
        let server = RawServer(ipv6: true) { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        defer { server.stop() }
        let answer = try await withClient { await $0.perform(request(port: server.port, host: "::1")) }
        #expect(answer.text == "ok")
        #expect(server.received() == head("GET / HTTP/1.1", "Host: ::1:\(server.port)"))
    }

    @Test("a CA file that cannot be read is said at once")
    func missingCA() async throws {
        await #expect(throws: UpstreamError(.internal, "")) {
            try await withClient({ $0.caFile = "/no/such/file" }) { _ in }
        }
    }
}
