import HTTP
import Testing

@testable import Upstream

/// What libcurl is handed; what it makes of it is in `RequestBytesTests`.
@Suite struct HeaderListTests {
    private func entries(_ request: OutboundRequest, _ list: inout HeaderList) -> [String] {
        list.entries(request)
    }

    @Test("Host and Expect come first to keep libcurl's own away, Accept last when there is none")
    func prefix() {
        var list = HeaderList()
        #expect(
            entries(request(port: 80, fields: [("Host", "h"), ("X", "1")]), &list)
                == ["Host:", "Expect:", "Host: h", "X: 1", "Accept:"])
        #expect(entries(request(port: 80, fields: [("accept", "a")]), &list) == ["Host:", "Expect:", "accept: a"])
    }

    @Test("an empty value is written so that libcurl does not drop it")
    func empty() {
        var list = HeaderList()
        #expect(
            entries(request(port: 80, fields: [("X-Empty", "")]), &list) == ["Host:", "Expect:", "X-Empty;", "Accept:"])
    }

    @Test("the list grows with the request and shrinks with the next one")
    func reuse() {
        var list = HeaderList()
        let many = (0..<200).map { ("X-\($0)", String(repeating: "v", count: $0 * 10)) }
        for _ in 0..<3 {
            let large = entries(request(port: 80, fields: many), &list)
            #expect(large.count == 203)
            #expect(large[201] == "X-199: " + String(repeating: "v", count: 1990))
            #expect(entries(request(port: 80, fields: [("A", "b")]), &list) == ["Host:", "Expect:", "A: b", "Accept:"])
        }
    }
}
