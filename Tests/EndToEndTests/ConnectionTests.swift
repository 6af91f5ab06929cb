import Foundation
import Testing

/// How a client's connection is treated.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionTests {
    private func withProxy(_ body: (Rig, OddOrigin, RunningProxy) async throws -> Void) async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            try await body(rig, odd, try await rig.proxy(for: odd))
        }
    }

    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET http://open.test\(path) HTTP/1.1\r\nHost: open.test\r\n\(fields)\r\n"
    }

    @Test("A connection serves one request after the other, also when they come in one packet, in their order")
    func keepAliveAndPipelining() async throws {
        try await withProxy { _, _, proxy in
            let text = try await onThread {
                let connection = try RawConnection(to: proxy.address)
                for path in ["/one", "/two"] {
                    try connection.send(Self.get(path))
                    guard try connection.receiveResponse().text.contains("\"\(path)\"") else { return path }
                }
                try connection.send(
                    Self.get("/slow/200") + Self.get("/three") + Self.get("/four", "Connection: close\r\n"))
                let rest = connection.receive()
                return String(decoding: rest.data, as: UTF8.self) + (rest.ending == .end ? "(end)" : "(no end)")
            }
            let order = ["/slow/200", "/three", "/four"].map { text.range(of: "\"path\": \"\($0)\"")?.lowerBound }
            #expect(order.allSatisfy { $0 != nil }, "\(text)")
            #expect(order.compactMap { $0 } == order.compactMap { $0 }.sorted())
            #expect(text.hasSuffix("(end)"))
        }
    }

    @Test("A client that waits for 100 Continue gets it, and the origin gets the body once")
    func expectContinue() async throws {
        try await withProxy { _, odd, proxy in
            let (interim, final) = try await onThread {
                let connection = try RawConnection(to: proxy.address)
                try connection.send(
                    "POST http://open.test/up HTTP/1.1\r\nHost: open.test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
                )
                let interim = try connection.receiveResponse()
                try connection.send("hello")
                return (interim, try connection.receiveResponse())
            }
            #expect(interim.status == 100)
            #expect(final.text.contains(#""framing": "length", "length": 5"#))
            #expect(try await odd.heads("/up").count == 1)
        }
    }

    @Test("An origin that refuses the expectation is heard, and the body is not sent")
    func expectationRefused() async throws {
        try await withProxy { _, odd, proxy in
            let response = try await proxy.exchange(
                "POST http://open.test/refuse-expect HTTP/1.1\r\nHost: open.test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
            )
            #expect(response.status == 417)
            #expect(try await odd.heads("/refuse-expect").count == 1)
        }
    }

    @Test("An HTTP/1.0 client gets what it understands: no chunks, and the end of the connection")
    func http10() async throws {
        try await withProxy { _, odd, proxy in
            let response = try await proxy.exchange("GET http://open.test/trailers HTTP/1.0\r\n\r\n")
            #expect(response.status == 200)
            #expect(!response.isChunked)
            #expect(response.content == Data("ok".utf8))
            #expect(try await odd.heads("/trailers").first?.contains("Host: open.test\r\n") == true)
        }
    }

    @Test("HEAD has no body and the connection goes on")
    func head() async throws {
        try await withProxy { _, _, proxy in
            let (first, second) = try await onThread {
                let connection = try RawConnection(to: proxy.address)
                try connection.send("HEAD http://open.test/two HTTP/1.1\r\nHost: open.test\r\n\r\n")
                let first = try connection.receiveResponse(bodyless: true)
                try connection.send(Self.get("/three"))
                return (first, try connection.receiveResponse())
            }
            #expect(first.status == 200)
            #expect(first.body.isEmpty)
            #expect(second.text.contains("/three"))
        }
    }

    @Test("A request that came through this proxy before is refused with 508")
    func loop() async throws {
        try await withProxy { _, odd, proxy in
            let echo = try await proxy.get("http://open.test/head")
            let via = echo.text.components(separatedBy: "\r\n").first { $0.hasPrefix("Via:") } ?? ""
            #expect(via.hasPrefix("Via: 1.1 "))
            let response = try await proxy.get("http://open.test/again", fields: via + "\r\n")
            #expect(response.status == 508)
            #expect(response["proxy-status"]?.contains("error=proxy_loop_detected") == true)
            #expect(try await odd.heads("/again").isEmpty)
        }
    }

    @Test(
        "Cloud metadata is out of reach, in every spelling",
        arguments: ["169.254.169.254", "2852039166", "0xa9fea9fe", "[::ffff:169.254.169.254]", "[fd00:ec2::254]"])
    func metadata(host: String) async throws {
        try await withProxy { _, _, proxy in
            let response = try await proxy.get("http://\(host)/latest/meta-data/")
            #expect(response.status == 403)
            #expect(response["proxy-status"]?.contains("error=destination_ip_prohibited") == true)
        }
    }

    @Test(
        "What is ambiguous or malformed is refused before it reaches an origin",
        arguments: [
            (
                "POST http://open.test/x HTTP/1.1\r\nHost: open.test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                400
            ),
            (
                "POST http://open.test/x HTTP/1.1\r\nHost: open.test\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                400
            ),
            ("POST http://open.test/x HTTP/1.1\r\nHost: open.test\r\nContent-Length: +3\r\n\r\nabc", 400),
            ("GET http://open.test/x HTTP/1.1\nHost: open.test\n\n", 400),
            ("GET http://open.test/x HTTP/1.1\r\nHost: open.test\r\nX : 1\r\n\r\n", 400),
            ("GET http://open.test/x HTTP/1.1\r\nHost: open.test\r\nX: 1\r\n 2\r\n\r\n", 400),
            ("GET http://open.test/x HTTP/1.1\r\nHost: open.test\r\nX: \u{0}\r\n\r\n", 400),
            ("GET http://user:secret@open.test/x HTTP/1.1\r\nHost: open.test\r\n\r\n", 400),
            ("GET http://open.test/x HTTP/1.1\r\n\r\n", 400),
            (
                "POST http://open.test/x HTTP/1.1\r\nHost: open.test\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                501
            ),
            (
                "GET http://open.test/x HTTP/1.1\r\nHost: open.test\r\nX: \(String(repeating: "x", count: 70000))\r\n\r\n",
                431
            ),
            (
                "GET http://open.test/x HTTP/1.1\r\nHost: open.test\r\n\(String(repeating: "X: 1\r\n", count: 201))\r\n",
                431
            ),
            ("GET http://open.test/x HTTP/3.0\r\nHost: open.test\r\n\r\n", 505),
        ])
    func malformed(request: String, status: Int) async throws {
        try await withProxy { _, odd, proxy in
            let response = try await proxy.exchange(request)
            #expect(response.status == status)
            #expect(try await odd.heads().isEmpty)
        }
    }
}
