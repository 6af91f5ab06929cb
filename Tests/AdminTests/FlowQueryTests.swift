import HTTP
import Telemetry
import Testing

@testable import Admin

@Suite struct FlowQueryTests {
    private func filter(_ query: String) throws(AdminRefusal) -> FlowFilter {
        try FlowQuery.filter(request(.get, "/v1/flows?\(query)"))
    }

    @Test("each parameter narrows what is shown; a filter that is empty does not")
    func parameters() throws {
        #expect(try filter("") == FlowFilter())
        #expect(try filter("host=&verdict=&status=&provider=") == FlowFilter())
        var wanted = FlowFilter()
        wanted.host = "*.shop.test"
        wanted.provider = "shop"
        wanted.verdict = .only(.challenge)
        wanted.status = 400...499
        wanted.since = 12
        wanted.limit = 5
        #expect(try filter("host=*.Shop.test&provider=shop&verdict=challenge&status=4xx&since=12&limit=5") == wanted)
        #expect(try filter("status=404").status == 404...404)
        #expect(try filter("verdict=none").verdict == .unjudged)
    }

    @Test(
        "what makes no sense is refused and not guessed",
        arguments: [
            "verdict=nice", "status=4", "status=abc", "status=+12", "status=xxx", "status=20000", "since=-1", "since=x",
            "since=+1", "limit=0", "limit=-1", "limit=100001", "limit=1.5", "since=", "limit=",
        ])
    func refusals(query: String) {
        #expect(throws: AdminRefusal.self) { try filter(query) }
    }
}
