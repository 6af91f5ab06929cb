import Testing

@testable import Telemetry

@Suite struct FlowEntryTests {
    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("field lines come back as names and values without the blanks around them")
    func pairs() {
        var fields = FlowFields()
        fields.replace { $0.append(Array("Old: x".utf8).span) }
        fields.replace { lines in
            for line in ["Host: shop.test", "X-Empty:", "Cookie:", "A:b: c \t", "odd"] {
                lines.append(Array(line.utf8).span)
            }
        }
        #expect(fields.pairs.map { text($0.name) } == ["Host", "X-Empty", "Cookie", "A", "odd"])
        #expect(fields.pairs.map { text($0.value) } == ["shop.test", "", "", "b: c", ""])
        #expect(!fields.isCut)
    }

    @Test("what one head may take is bounded, and a line that does not fit is left out whole")
    func bound() {
        var fields = FlowFields()
        let line = Array("X: \(String(repeating: "y", count: 1000))".utf8)
        fields.replace { lines in
            for _ in 0..<10 { lines.append(line.span) }
            lines.append(Array("Z: z".utf8).span)
        }
        #expect(fields.bytes.count <= FlowFields.limit && fields.isCut)
        #expect(text(fields.pairs.last?.name ?? []) == "Z")
    }

    @Test("a flow in JSON has the log's fields under the log's names")
    func json() {
        let ring = FlowRing(capacity: 2)
        var entry = FlowEntry()
        entry.record.requestID = 255
        entry.record.client = "127.0.0.1:5"
        entry.record.setMethod(Array("GET".utf8).span)
        entry.record.scheme = "http"
        entry.record.host = "shop.test"
        entry.record.port = 80
        entry.record.setPath(Array("/a\"b?secret=1".utf8).span)
        entry.record.status = 200
        entry.record.token = "3f9a1c02"
        entry.provider = "shop"
        entry.ended = WallClock(milliseconds: 0)
        ring.exchange(&entry)
        #expect(
            String(decoding: FlowJSON.write(ring.select(FlowFilter())), as: UTF8.self)
                == #"{"flows":[{"id":1,"ts":"1970-01-01T00:00:00.000Z","provider":"shop","request_id":"ff","#
                + #""client":"127.0.0.1:5","method":"GET","scheme":"http","host":"shop.test","port":80,"path":"/a\"b","#
                + #""status":200,"verdict":null,"token":"3f9a1c02","replays":0,"bytes_in":0,"bytes_out":0,"#
                + #""duration_ms":0.000,"upstream_ms":null,"error":null}],"last":1}"# + "\n")
    }
}
