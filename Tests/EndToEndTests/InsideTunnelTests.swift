import Foundation
import Testing

/// What clients do inside an intercepted tunnel, and how its ends are told.
@Suite(.timeLimit(.minutes(10)))
struct InsideTunnelTests {
    /// What `tunnel_client.py` found.
    private func play(
        _ what: String, _ rig: Rig, _ proxy: RunningProxy, _ ca: String, _ more: String...
    ) async throws -> JSON {
        let client = try await rig.run(
            Places.python, [Places.support("tunnel_client.py"), what, "\(proxy.address)", ca] + more)
        try #require(client.status == .exited(0), "\(client.errors)")
        return JSON(parsing: String(decoding: client.output, as: UTF8.self)) ?? .null
    }

    @Test func `a hundred pipelined requests in one tunnel get their answers in order`() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            let found = try await play("pipelined", rig, proxy, try await rig.trustedFile())
            #expect(found["batches"].integer == 10, "\(found)")
            #expect(try await emulator.requests(verdict: "accepted").count == 100)
        }
    }

    @Test(arguments: ["expecting", "chunked"])
    func `a challenged upload in a tunnel arrives whole and once`(what: String) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            let trusted = try await rig.trustedFile()
            #expect(try await proxy.get("http://shop.test/get").status == 200)
            try await emulator.advanceClock(400)
            let found = try await play(what, rig, proxy, trusted)
            #expect(found["status"].string == "HTTP/1.1 200 OK", "\(found)")
            #expect(found["whole"].bool == true, "\(found)")
            if what == "expecting" { #expect(found["interim"].string == "HTTP/1.1 100 Continue") }
            let uploads = try await emulator.requests().filter { $0["target"].string == "/upload" }
            #expect(uploads.map { $0["verdict"].string } == ["challenge", "accepted"], "\(uploads)")
        }
    }

    @Test func `a client that ended its side of TLS gets its answer, and TLS's own end behind it`() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            let found = try await play("half_closed", rig, proxy, try await rig.trustedFile())
            #expect(found == ["status": "HTTP/1.1 200 OK", "ending": "close_notify"])
        }
    }

    @Test func `a body that breaks off is never ended cleanly, in neither direction`() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(
                source: try rig.staticSource("static-token-3b"), resolve: ["shop.test:443": odd.https.address],
                more: ["upstream": ["caFile": .string(odd.https.caFile)]])
            let trusted = try await rig.trustedFile()
            for path in ["/short-length", "/short-chunked", "/short-chunk", "/until-reset", "/until-cut"] {
                let down = try await play("download", rig, proxy, trusted, path)
                #expect(down == ["bytes": 100, "ending": "cut"], "\(path)")
            }
            let whole = try await play("download", rig, proxy, trusted, "/until-close")
            #expect(whole == ["bytes": 100, "ending": "close_notify"])
            for what in ["cut_upload", "ended_upload"] {
                let up = try await play(what, rig, proxy, trusted)
                #expect(up["status"].string != "HTTP/1.1 200 OK", "\(what): \(up)")
            }
            #expect(odd.process.output.records.allSatisfy { $0["sha256"].string == nil })
        }
    }
}
