import Telemetry
import Testing
import WAFTokens

@testable import Admin

@Suite struct HARDocumentTests {
    private func flow() -> FlowEntry {
        var flow = FlowEntry()
        flow.record.setMethod(Array("POST".utf8).span)
        flow.record.scheme = "https"
        flow.record.host = "::1"
        flow.record.port = 8443
        flow.record.setPath(Array("/a".utf8).span)
        flow.record.status = 302
        flow.record.verdict = .blocked
        flow.record.token = "3f9a1c02"
        flow.record.durationMicroseconds = 2500
        flow.record.upstreamMicroseconds = 1500
        flow.ended = WallClock(milliseconds: 1002)
        let fields = [
            "Content-Type: text/plain", "Cookie: a=secret-1", "X-Api-Key: secret-2", "Referer: http://a/?secret-3",
        ]
        flow.requestFields.replace { lines in for line in fields { lines.append(Array(line.utf8).span) } }
        flow.responseFields.replace { $0.append(Array("Location: /next?code=secret-4".utf8).span) }
        return flow
    }

    @Test("an entry has what HAR 1.2 asks for, times in milliseconds")
    func shape() throws {
        let document = HARDocument(version: "1.2.3", entries: [flow()]).json
        let entry = try #require(AdminDocument(value: document)["log"]["entries"].elements.first)
        #expect(entry["startedDateTime"].text == "1970-01-01T00:00:01.000Z")
        #expect(entry["time"].number == 2.5 && entry["timings"]["wait"].number == 1.5)
        #expect(entry["request"]["url"].text == "https://[::1]:8443/a")
        #expect(entry["request"]["method"].text == "POST")
        #expect(entry["response"]["status"].number == 302 && entry["response"]["redirectURL"].text == "/next")
        #expect(entry["_verdict"].text == "blocked" && entry["_token"].text == "3f9a1c02")
    }

    @Test("cookies, keys and queries do not stand in it, the names of their fields do")
    func secrets() {
        let text = HARDocument(version: "1.2.3", entries: [flow()]).json.text
        #expect(!text.contains("secret"))
        #expect(text.contains(#"{"name":"Cookie","value":"[redacted]"}"#))
        #expect(text.contains(#"{"name":"X-Api-Key","value":"[redacted]"}"#))
        #expect(text.contains(#"{"name":"Referer","value":"http://a/"}"#))
    }

    @Test("bodies that are kept stand in it, as text or in Base64")
    func bodies() {
        var flow = flow()
        flow.requestBody = Array("plain \"text\"".utf8)
        flow.responseBody = [0xff, 0x00, 0x10, 0x20]
        let text = HARDocument(version: "1.2.3", entries: [flow]).json.text
        #expect(text.contains(#""postData":{"mimeType":"text/plain","text":"plain \"text\""}"#))
        #expect(text.contains(#""text":"/wAQIA==","encoding":"base64""#))
    }
}
