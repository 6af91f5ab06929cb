import EventLoop
import HTTP
import Telemetry
import Testing
import Upstream

/// Opening a tunnel through a parent that is a script: what it is told, and what its oddities lead to.
@Suite(.timeLimit(.minutes(1)))
struct ParentTunnelTests {
    private let target = Authority(host: "shop.test", port: 443)

    /// Opens a tunnel and gives back all that comes through it, or the error.
    private func open(
        _ kind: ParentProxy.Kind = .http, _ pair: String? = nil, via: [String] = [],
        within limit: Duration = .seconds(60),
        to target: Authority? = nil, _ serve: @escaping @Sendable (RawConnection) -> Void
    ) async throws -> (result: Result<String, UpstreamError>, sent: String) {
        let server = RawServer(serve)
        defer { server.stop() }
        let target = target ?? self.target
        let result: Result<String, UpstreamError> = try await withClient { client in
            let limit = DialLimit(loop: client.loop, limit: limit)
            do throws(UpstreamError) {
                let tunnel = try await client.openTunnel(
                    to: target, through: parent(kind, port: server.port, pair), via: via.map { Array($0.utf8) },
                    within: limit)
                defer { tunnel.close() }
                do throws(StreamError) {
                    try await tunnel.finishSending()
                    while try await tunnel.receive() {}
                } catch { return .success("broken") }
                return .success(tunnel.inbound.withUnsafeBufferPointer { latin1($0) })
            } catch {
                return .failure(error)
            }
        }
        return (result, server.received())
    }

    @Test func `a CONNECT says who has passed it on, and bytes right after the 200 are the origin's`() async throws {
        let (result, sent) = try await open(.http, "rig:pw", via: ["1.0 a, 1.1 b", "1.1 me"]) { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 ok\r\nX: y\r\n\r\nSSH-2.0\r\n")
            connection.readToEnd()
        }
        #expect(result == .success("SSH-2.0\r\n"))
        #expect(
            sent
                == head(
                    "CONNECT shop.test:443 HTTP/1.1", "Host: shop.test:443", "Via: 1.0 a, 1.1 b", "Via: 1.1 me",
                    "Proxy-Authorization: Basic cmlnOnB3"))
    }

    @Test func `an answer may come byte by byte, after interim ones`() async throws {
        let (result, _) = try await open { connection in
            connection.readHead()
            for byte in "HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 ok\r\n\r\nx".utf8 { connection.write([byte]) }
            connection.readToEnd()
        }
        #expect(result == .success("x"))
    }

    @Test(arguments: [
        ("HTTP/1.1 403 No\r\n\r\n", UpstreamError.Code.parentRefused), ("HTTP/1.1 407 No\r\n\r\n", .parentDenied),
        ("HTTP/1.1 502 No\r\n\r\n", .parentRefused), ("HTTP/1.1 101 What\r\n\r\n", .parentRefused),
        ("SSH-2.0-OpenSSH\r\n", .parentRefused), ("HTTP/1.1 200 ok\r\n", .parentRefused), ("", .parentRefused),
    ])
    func `anything but a 2xx opens no tunnel`(answer: String, code: UpstreamError.Code) async throws {
        let (result, _) = try await open(.http, "rig:secret") { connection in
            connection.readHead()
            connection.write(answer)
        }
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.code == code)
        #expect(!error.detail.contains("secret"))
    }

    @Test func `a parent that stays silent is a connectTimeout`() async throws {
        let (result, _) = try await open(within: .milliseconds(200)) { $0.readToEnd() }
        #expect(result == .failure(UpstreamError(.connectTimeout, "")))
    }

    @Test func `a tunnel that nobody wants any more is given up`() async throws {
        let server = RawServer { $0.readToEnd() }
        defer { server.stop() }
        let target = target
        let error: UpstreamError? = try await withClient { client in
            let limit = DialLimit(loop: client.loop, limit: .seconds(60))
            let loop = client.loop
            nonisolated(unsafe) let shared = limit  // the task runs on the same loop
            loop.spawn {
                _ = await eventually(loop) { !server.received().isEmpty }
                shared.abandon()
            }
            do throws(UpstreamError) {
                _ = try await client.openTunnel(
                    to: target, through: parent(port: server.port), via: [], within: limit)
                return nil
            } catch { return error }
        }
        #expect(error?.code == .connectTimeout)
    }

    // MARK: SOCKS 5

    @Test func `a SOCKS parent is told the name, after user and password`() async throws {
        let (result, sent) = try await open(.socks5, "rig:pw") { connection in
            _ = connection.readExactly(4)
            connection.write([5, 2])
            _ = connection.readExactly(8)
            connection.write([1, 0])
            _ = connection.readExactly(16)
            connection.write([5, 0, 0, 3, 2, 0x61, 0x62, 0, 80] + Array("first".utf8))
            connection.readToEnd()
        }
        #expect(result == .success("first"))
        let bytes: [UInt8] =
            [5, 2, 0, 2, 1, 3] + Array("rig".utf8) + [2] + Array("pw".utf8) + [5, 1, 0, 3, 9] + Array("shop.test".utf8)
            + [1, 187]
        #expect(sent == latin1(bytes))
    }

    @Test(arguments: [("192.0.2.7", [1, 192, 0, 2, 7]), ("::1", [4] + Array(repeating: 0, count: 15) + [1])])
    func `an address goes to a SOCKS parent as an address`(host: String, wanted: [UInt8]) async throws {
        let (result, sent) = try await open(.socks5, to: Authority(host: host, port: 0x1234)) { connection in
            _ = connection.readExactly(3)
            connection.write([5, 0])
            _ = connection.readExactly(5 + wanted.count)
            for byte in [5, 0, 0, 1, 0, 0, 0, 0, 0, 0] as [UInt8] { connection.write([byte]) }
            connection.readToEnd()
        }
        #expect(result == .success(""))
        #expect(sent == latin1([5, 1, 0, 5, 1, 0] + wanted + [0x12, 0x34]))
    }

    @Test(
        arguments: [
            ([5, 0xff], "wants credentials."), ([5, 2], "wants credentials."), ([4, 0], "speak SOCKS 5 as it should."),
            ([5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0], "refused: not allowed by its rules."),
            ([5, 0, 5, 5, 0, 1, 0, 0, 0, 0, 0, 0], "refused: connection refused."),
            ([5, 0, 5, 99, 0, 1, 0, 0, 0, 0, 0, 0], "refused: unknown reason."),
            ([5, 0, 5, 0, 0, 9, 0, 0, 0, 0, 0, 0], "speak SOCKS 5 as it should."),
            ([5], "ended the connection during CONNECT."),
        ] as [([UInt8], String)])
    func `a SOCKS parent's refusal is told in words`(answer: [UInt8], words: String) async throws {
        let (result, _) = try await open(.socks5) { connection in
            _ = connection.readExactly(3)
            connection.write(answer)
        }
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.detail.hasSuffix(words), "\(error)")
    }
}
