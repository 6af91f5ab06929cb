import Testing

@testable import Emulator

/// How connections are kept, drained and ended.
@Suite(.timeLimit(.minutes(1)))
struct ServedConnectionTests {
    private func withConnection(_ body: @escaping @Sendable (RawConnection) throws -> Void) async throws {
        try await Rig.with { rig in try await onThread { try body(try RawConnection(rig.addresses.http)) } }
    }

    @Test("A connection serves one request after the other, also when they come in one packet")
    func keepAlive() async throws {
        try await withConnection { connection in
            for _ in 0..<3 {
                try connection.send("GET /status/201 HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.answer().status == 201)
            }
            try connection.send(
                "GET /status/202 HTTP/1.1\r\nHost: a\r\n\r\nPOST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                    + "GET /status/203 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try connection.answer().status == 202)
            #expect(try connection.answer().body.text.contains(#""size":3"#))
            let last = try connection.answer()
            #expect(last.status == 203)
            #expect(last["connection"] == "close")
            #expect(try !connection.receive())
        }
    }

    @Test("A client that asks on and on without reading is held back, and gets every answer in the end")
    func backPressure() async throws {
        try await withConnection { connection in
            let count = 200
            try connection.send(String(repeating: "GET /bytes/100000 HTTP/1.1\r\nHost: a\r\n\r\n", count: count))
            for _ in 0..<count { #expect(try connection.answer().body.count == 100_000) }
        }
    }

    @Test("Requests that come byte by byte are served the same")
    func slowRequest() async throws {
        try await withConnection { connection in
            for byte in [UInt8](
                "POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
            {
                try connection.send([byte])
            }
            #expect(try connection.answer().body.text.contains(#""size":3"#))
        }
    }

    @Test("A challenge does not wait for the body; a short one is read afterwards and the connection goes on")
    func earlyChallengeShort() async throws {
        try await withConnection { connection in
            let body = String(repeating: "x", count: 1 << 20)
            try connection.send(
                "POST /protected/upload HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
            let answer = try connection.answer()
            #expect(answer.status == 202)
            #expect(answer["connection"] == nil)
            try connection.send(body)
            try connection.send("GET /status/201 HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try connection.answer().status == 201)
        }
    }

    @Test(
        "A challenge whose body is long, of unknown length, or waits for 100 Continue ends the connection in order",
        arguments: [
            "Content-Length: 100000000", "Transfer-Encoding: chunked", "Content-Length: 3\r\nExpect: 100-continue",
        ])
    func earlyChallengeLong(framing: String) async throws {
        try await withConnection { connection in
            try connection.send("POST /protected/upload HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
            let answer = try connection.answer()
            #expect(answer.status == 202)
            #expect(answer["connection"] == "close")
            #expect(try !connection.receive(), "an orderly end, no reset")
            // What is still on its way does not turn the end into a reset at once.
            try connection.send("more")
        }
    }

    @Test("100 Continue comes before the body is read, and only if the client waits for it")
    func expectContinue() async throws {
        try await withConnection { connection in
            try connection.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            #expect(try connection.answer().status == 100)
            try connection.send("abc")
            #expect(try connection.answer().status == 200)
            try connection.send(
                "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc")
            #expect(try connection.answer().status == 200)
        }
    }

    @Test("HTTP/1.0: no chunks, and the end of the connection ends the answer")
    func http10() async throws {
        try await withConnection { connection in
            try connection.send("GET /stream/3 HTTP/1.0\r\n\r\n")
            let answer = try connection.answer()
            #expect(answer["transfer-encoding"] == nil)
            #expect(answer.body.text == "{\"id\":0}\n{\"id\":1}\n{\"id\":2}\n")
        }
    }

    @Test(
        "What is not HTTP is refused, and the connection ends",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n", 400), ("nonsense\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 70_000))\r\n\r\n", 431),
            ("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        ])
    func malformed(request: String, status: Int) async throws {
        try await withConnection { connection in
            try connection.send(request)
            let answer = try connection.answer()
            #expect(answer.status == status)
            #expect(answer["connection"] == "close")
        }
    }

    @Test("A client that leaves in the middle of a body leaves a record without a body")
    func gone() async throws {
        try await Rig.with { rig in
            try await onThread {
                let connection = try RawConnection(rig.addresses.http)
                try connection.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
                connection.finishSending()
                _ = try? connection.rest()
            }
            let record = try #require(try await rig.records().first)
            #expect(record["bodySize"] == .null)
            #expect(record["status"] == .null)
        }
    }
}
