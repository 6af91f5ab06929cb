import Foundation
import Testing

/// `/v1/flows` and `/v1/flows.har` of a real proxy.
@Suite(.timeLimit(.minutes(10)))
struct FlowsTests {
    /// The flows once there are at least `count`.
    private func flows(_ desk: AdminDesk, _ query: String = "", atLeast count: Int) async throws -> [JSON] {
        try await eventually("there were not so many flows") {
            let answer = try await desk.get("/v1/flows\(query)")
            let flows = answer.body["flows"].elements
            return answer.status == 200 && flows.count >= count ? flows : nil
        }
    }

    @Test("finished requests are shown as the log shows them, with filters, and gone on from a number")
    func listing() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            let desk = try await AdminDesk(rig, try await rig.proxy(for: emulator, odd: odd))
            rig.keepSecret("query-secret-1")
            #expect(try await desk.proxy.get("http://shop.test/protected/get?key=query-secret-1").status == 200)
            try await emulator.advanceClock(301)
            #expect(try await desk.proxy.get("http://shop.test/protected/get").status == 200)
            #expect(try await desk.proxy.get("http://169.254.169.254/x").status == 403)
            let all = try await flows(desk, atLeast: 3)
            #expect(all.map { $0["id"].integer } == [1, 2, 3])
            #expect(all.map { $0["status"].integer } == [200, 200, 403])
            #expect(all.map { $0["provider"] } == ["shop", "shop", .null])
            #expect(all.map { $0["replays"].integer } == [0, 1, 0])
            #expect(all[0]["path"].string == "/protected/get" && all[0]["host"].string == "shop.test")
            let logged = try await eventually("not every request was logged") {
                desk.proxy.accessLog.count == 3 ? desk.proxy.accessLog : nil
            }
            for (flow, line) in zip(all, logged) {
                for name in ["request_id", "token", "status", "error", "duration_ms", "client"] {
                    #expect(flow[name] == line[name])
                }
            }
            #expect(try await flows(desk, "?provider=shop&limit=1", atLeast: 1).map { $0["id"].integer } == [2])
            #expect(try await flows(desk, "?status=4xx", atLeast: 1).map { $0["id"].integer } == [3])
            #expect(try await flows(desk, "?since=2", atLeast: 1).map { $0["id"].integer } == [3])
            #expect(try await flows(desk, "?host=169.254.169.254", atLeast: 1).map { $0["id"].integer } == [3])
            #expect(try await desk.get("/v1/flows?limit=0").status == 400)
        }
    }

    @Test("the archive is a HAR, without queries and secrets; bodies stand in it where they are asked for")
    func archive() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: emulator, odd: odd, more: ["flows": ["bodyBytes": 4096]])
            let desk = try await AdminDesk(rig, proxy)
            let fields =
                "Authorization: Bearer bearer-secret-2\r\nCookie: session=cookie-secret-3\r\nX-Api-Key: key-secret-4\r\n"
            #expect(
                try await proxy.get("http://shop.test/protected/headers?q=query-secret-5", fields: fields).status == 200
            )
            let body = "posted-text"
            let post = try await proxy.exchange(
                "POST http://shop.test/post HTTP/1.1\r\nHost: shop.test\r\n\(fields)Content-Type: text/plain\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(post.status == 200)
            _ = try? await proxy.exchange(
                "CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test:443\r\n\r\n", bodyless: true)
            _ = try await flows(desk, atLeast: 2)
            let answer = try await desk.read("/v1/flows.har")
            #expect(answer.status == 200 && answer["content-disposition"]?.contains("flows.har") == true)
            for secret in ["bearer-secret-2", "cookie-secret-3", "key-secret-4", "query-secret-5", Rig.emulatedPrefix] {
                #expect(!answer.text.contains(secret), "\(secret)")
            }
            let entries = try #require(JSON(parsing: answer.text))["log"]["entries"].elements
            #expect(entries[1]["request"]["postData"]["text"].string == body)
            #expect(answer.text.contains("{\"name\":\"Cookie\",\"value\":\"[redacted]\"}"))
            let file = try rig.write(answer.text, to: "flows.har")
            let checked = try await rig.run(
                Places.python, [Places.support("check_har.py"), file])
            #expect(checked.status == .exited(0), "\(checked.errors)")
        }
    }
}
