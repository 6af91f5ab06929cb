import EventLoop
import Testing

@Suite struct ListenerGroupTests {
    @Test("several loops listen on one port, and a second instance is told that it is taken")
    func sharedPort() async throws {
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
        let first = try ListenerGroup.bind(address, count: 3)
        #expect(Set(first.map(\.address)).count == 1)
        let group = try EventLoopGroup(count: 1)
        defer { group.stop() }
        let loop = group.loops[0]
        let error: SystemError? = await withCheckedContinuation { answer in
            loop.execute {
                do throws(SystemError) {
                    for socket in first { _ = try Listener(loop: loop, socket: socket) { $0.close() } }
                    _ = try ListenerGroup.bind(first[0].address, count: 1)
                    answer.resume(returning: nil)
                } catch {
                    answer.resume(returning: error)
                }
            }
        }
        #expect(error?.description == "bind: address already in use")
    }

    @Test("IPv6 is bound alone, so that IPv4 can be bound beside it")
    func bothFamilies() throws {
        let v6 = try ListenerGroup.bind(try #require(SocketAddress(ip: "::1", port: 0)), count: 1)[0]
        #expect(v6.address.description.hasPrefix("[::1]:"))
    }

    @Test("connections that wait in the kernel when a listener stops are still served")
    func stopServesQueue() async throws {
        let served = try await onLoop { loop in
            let listener = try serve(on: loop) { peer in
                peer.send("served")
                try? await peer.finishSending()
                peer.close()
            }
            // Connected by the kernel, not accepted yet: stop() comes in the same turn of the loop.
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            listener.stop()
            let bytes = try await stream.receiveAll()
            stream.close()
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(served == "served")
    }
}
