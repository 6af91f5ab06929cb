import Foundation
import Testing

@testable import Emulator

@Suite(.timeLimit(.minutes(1)))
struct ApplicationTests {
    @Test("The echo gives fields in order, case and value as they came, and the content")
    func echo() async throws {
        try await Rig.with { rig in
            let get = try await rig.request("GET", "/get?a=b", ["X-A: 1", "x-a:  2 "]).json()
            #expect(get["method"] == "GET")
            #expect(get["target"] == "/get?a=b")
            #expect(get["scheme"] == "http")
            #expect(get["headers"] == [["Host", "shop.test"], ["X-A", "1"], ["x-a", "2"]])
            #expect(get["body"] == nil)

            let post = try await rig.request("PATCH", "/post", body: "héllo").json()
            #expect(post["method"] == "PATCH")
            #expect(post["size"] == 6)
            #expect(post["body"] == "héllo")
            #expect(try await rig.request("POST", "/get", body: "").status == 405)
            #expect(try await rig.request("GET", "/post")["allow"] == "POST, PUT, PATCH, DELETE")
            #expect(try await rig.request("GET", "/headers").json()["headers"] == [["Host", "shop.test"]])
        }
    }

    @Test("Content that is not text comes back in base 64, large content as size and hash")
    func binaryEcho() async throws {
        try await Rig.with { rig in
            let answers = try await onThread { () -> [RawAnswer] in
                let connection = try RawConnection(rig.addresses.http)
                try connection.send(
                    [UInt8]("POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n") + [0xff, 0x00])
                let first = try connection.answer()
                try connection.send(
                    "POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n"
                        + String(repeating: "x", count: 70_000))
                return [first, try connection.answer()]
            }
            #expect(try answers[0].json()["bodyBase64"] == "/wA=")
            #expect(try answers[1].json()["size"] == 70_000)
            #expect(try answers[1].json()["body"] == .null)
        }
    }

    @Test("Cookies come back byte for byte, as pairs and as fields")
    func cookies() async throws {
        try await Rig.with { rig in
            let body = try await rig.request("GET", "/cookies", [#"Cookie: a="x y"; b=1=2;c"#, "Cookie: d="]).json()
            #expect(body["cookies"] == [["a", "\"x y\""], ["b", "1=2"], ["", "c"], ["d", ""]])
            #expect(body["fields"] == [#"a="x y"; b=1=2;c"#, "d="])
        }
    }

    @Test("The same application stands under /protected, redirects included")
    func mirror() async throws {
        try await Rig.with { rig in
            let cookie = ["Cookie: aws-waf-token=\(try await rig.token())"]
            #expect(try await rig.request("GET", "/protected/get", cookie).json()["target"] == "/protected/get")
            #expect(
                try await rig.request("GET", "/protected/redirect/2", cookie)["location"] == "/protected/redirect/1")
            #expect(try await rig.request("GET", "/protected/redirect/1", cookie)["location"] == "/protected/get")
            #expect(try await rig.request("GET", "/redirect/1")["location"] == "/get")
            #expect(
                try await rig.request("GET", "/protected/", cookie).json()["paths"]?.elements.first
                    == "/protected/get")
            #expect(try await rig.request("GET", "/protected", cookie).status == 404)
            #expect(try await rig.request("GET", "/nothing").status == 404)
            #expect(try await rig.request("GET", "/get/").status == 404)
        }
    }

    @Test("Statuses with and without content", arguments: [200, 202, 204, 304, 405, 418, 503])
    func status(status: Int) async throws {
        try await Rig.with { rig in
            let answer = try await rig.request("GET", "/status/\(status)")
            #expect(answer.status == status)
            let isEmpty = status == 204 || status == 304
            #expect((answer["content-length"] == nil) == isEmpty)
            #expect(try await rig.request("GET", "/status/199").status == 404)
        }
    }

    @Test(
        "/bytes/N is always the same, whole, and HEAD tells its length", arguments: [0, 1, 65_521, 65_522, 5_000_000])
    func bytes(count: Int) async throws {
        try await Rig.with { rig in
            let answer = try await rig.request("GET", "/bytes/\(count)")
            #expect(answer.body.count == count)
            let expected = (0..<count).allSatisfy { answer.body[$0] == BytePattern.table[$0 % 65_521] }
            #expect(expected)
            let head = try await rig.request("HEAD", "/bytes/\(count)")
            #expect(head["content-length"] == "\(count)")
            #expect(try await rig.request("GET", "/bytes/x").status == 404)
            #expect(try await rig.request("GET", "/bytes/99999999999999").status == 400)
        }
    }

    @Test("The pattern never changes: the first bytes are written down here")
    func pattern() {
        #expect(BytePattern.table.count == 65_521)
        #expect(Array(BytePattern.table.prefix(8)) == [108, 130, 165, 98, 203, 128, 141, 16])
    }

    @Test("Large bodies arrive whole over HTTP and HTTPS, up and down")
    func large() async throws {
        try await Rig.with { rig in
            for base in ["http://\(rig.addresses.http)", "https://\(rig.addresses.https)"] {
                let down = try await rig.run([
                    "curl", "-sS", "--cacert", "ca.pem", "-o", "blob", "\(base)/bytes/20000000",
                ])
                #expect(down.status == 0, "\(down.errors)")
                let sum = try await rig.run(["sha256sum", "blob"]).output.text.prefix(64)
                for more in [[], ["-H", "Transfer-Encoding: chunked"]] {
                    let up = try await rig.run(
                        ["curl", "-sS", "--cacert", "ca.pem", "-T", "blob", "\(base)/upload"] + more)
                    #expect(up.output.text == #"{"size":20000000,"sha256":"\#(sum)"}"# + "\n", "\(up.errors)")
                }
            }
        }
    }

    @Test("Chunked answers, trailers, drips and delays")
    func pieces() async throws {
        try await Rig.with { rig in
            let stream = try await rig.request("GET", "/stream/3")
            #expect(stream["transfer-encoding"] == "chunked")
            #expect(stream.body.text == "{\"id\":0}\n{\"id\":1}\n{\"id\":2}\n")
            let trailers = try await rig.request("GET", "/trailers")
            #expect(trailers["trailer"] == "X-Checksum, X-Count")
            #expect(trailers.trailers == ["X-Checksum: 42", "X-Count: 2"])
            #expect(trailers.body.text == "first\nsecond\n")
            #expect(try await rig.request("HEAD", "/stream/3").status == 200)
            #expect(try await rig.request("GET", "/drip?bytes=5&delayMsec=5").body.text == "*****")
            let start = ContinuousClock.now
            #expect(try await rig.request("GET", "/delay/80").status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(80))
        }
    }

    @Test("Event n+1 comes after it was released, and not before", arguments: [false, true])
    func events(isProtected: Bool) async throws {
        try await Rig.with { rig in
            try await rig.control("POST", "/v1/sse/next")  // before anybody listens: counts for nobody
            let cookie = isProtected ? "Cookie: aws-waf-token=\(try await rig.token())\r\n" : ""
            let path = isProtected ? "/protected/sse" : "/sse"
            let connection = try await onThread { () -> RawConnection in
                let connection = try RawConnection(rig.addresses.http)
                try connection.send("GET \(path)?events=3 HTTP/1.1\r\nHost: shop.test\r\n\(cookie)\r\n")
                while !connection.buffer.text.contains("data: event 1\n\n") { try connection.receive() }
                return connection
            }
            for number in 2...3 {
                let before = try await rig.records().count
                #expect(before == 1)
                #expect(!connection.buffer.text.contains("event \(number)"))
                try await rig.control("POST", "/v1/sse/next", "{}")
                try await onThread {
                    while !connection.buffer.text.contains("data: event \(number)\n\n") {
                        try connection.receive()
                    }
                }
            }
            try await onThread {
                while !connection.buffer.text.hasSuffix("0\r\n\r\n") { try connection.receive() }
            }
        }
    }
}
