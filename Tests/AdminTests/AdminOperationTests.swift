import Foundation
import HTTP
import Telemetry
import Testing

@testable import Admin

@Suite struct AdminOperationTests {
    @Test(
        "each path and method is one operation",
        arguments: [
            (.get, "/livez", .live), (.head, "/livez", .live), (.get, "/readyz?x=1", .ready),
            (.get, "/v1/status", .status), (.get, "/metrics", .metrics), (.post, "/v1/drain", .drain),
            (.get, "/ca.pem", .authority), (.get, "/trust/bundle.pem", .trust(.bundle)),
            (.post, "/v1/reload", .reload), (.get, "/v1/flows", .flows(FlowFilter())),
            (.get, "/v1/flows.har?limit=100", .archive(FlowFilter())),
            (.get, "/v1/explain?url=http://a/", .explain(url: "http://a/")),
            (.get, "/v1/explain?a=b&url=http%3A%2F%2Fa%2F%3Fx+y", .explain(url: "http://a/?x y")),
            (.get, "/v1/providers/shop/token", .showToken(provider: "shop", reveal: false)),
            (.get, "/v1/providers/shop/token?reveal=1", .showToken(provider: "shop", reveal: true)),
            (.get, "/v1/providers/shop/token?reveal=0", .showToken(provider: "shop", reveal: false)),
            (.get, "/v1/providers/a%2Eb/token", .showToken(provider: "a.b", reveal: false)),
            (.post, "/v1/providers/shop/token", .loadToken(provider: "shop")),
            (.post, "/v1/providers/shop/refresh", .refresh(provider: "shop")),
            (.post, "/v1/providers/shop/expire", .expire(provider: "shop")), (.post, "/v1/activity", .setActivity),
        ] as [(HTTP.Method, String, AdminOperation)])
    func found(method: HTTP.Method, target: String, operation: AdminOperation) {
        #expect(AdminOperation.find(request(method, target)) == .success(operation))
    }

    @Test(
        "everything else is refused with the status that says why",
        arguments: [
            (.get, "/page.html", 404), (.get, "/trust/wgetrc", 404), (.get, "/trust/", 404), (.get, "/livez/", 404),
            (.get, "//livez", 404), (.get, "/v1", 404),
            (.get, "/v1/providers", 404), (.get, "/v1/providers/shop", 404), (.get, "/v1/providers/shop/x", 404),
            (.get, "/v1/providers/shop/token/x", 404), (.post, "/livez", 405), (.put, "/v1/status", 405),
            (.options, "/v1/activity", 405), (.get, "/v1/activity", 405), (.get, "/v1/providers/shop/refresh", 405),
            (.delete, "/v1/providers/shop/token", 405), (.get, "/v1/explain", 400), (.get, "/v1/explain?url=", 400),
            (.get, "/v1/flows?limit=x", 400), (.post, "/v1/flows", 405), (.get, "/v1/explain?url=%zz", 400),
            (.get, "/v1/explain?url=%ff", 400), (.get, "/v1/providers/shop/token?reveal=yes", 400),
        ] as [(HTTP.Method, String, Int)])
    func refused(method: HTTP.Method, target: String, status: Int) {
        guard case .failure(let refusal) = AdminOperation.find(request(method, target)) else {
            Issue.record("\(target) was found")
            return
        }
        #expect(refusal.answer.status == status)
        #expect((refusal.answer.allow != nil) == (status == 405))
    }

    @Test("docs/openapi.yaml names each path with its methods, and no other")
    func document() throws {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let text = try String(contentsOfFile: "/\(folder)/docs/openapi.yaml", encoding: .utf8)
        var path = ""
        var documented: Set<String> = []
        for line in text.split(separator: "\n").prefix(while: { $0 != "components:" }) {
            if let match = line.wholeMatch(of: #/  (/\S*):/#) { path = String(match.1) }
            guard let match = line.wholeMatch(of: #/    (get|post):.*/#) else { continue }
            documented.insert("\(match.1) \(path)")
            let target =
                path.replacing("{name}", with: "shop").replacing("{file}", with: "ca.pem")
                + (path == "/v1/explain" ? "?url=http://a/" : "")
            let found = AdminOperation.find(request(match.1 == "get" ? .get : .post, target))
            if case .failure(let refusal) = found { Issue.record("\(path): \(refusal)") }
        }
        #expect(
            documented == [
                "get /", "get /page.css", "get /page.js", "get /livez", "get /readyz", "get /metrics", "get /ca.pem",
                "get /trust/{file}",
                "get /v1/status", "get /v1/clients", "get /v1/flows", "get /v1/flows.har", "get /v1/explain",
                "get /v1/providers/{name}/token", "post /v1/providers/{name}/token",
                "post /v1/providers/{name}/refresh", "post /v1/providers/{name}/expire", "post /v1/activity",
                "post /v1/reload", "post /v1/drain",
            ])
    }

    @Test("what changes something or shows a token is a write, the probes are open, the rest are reads")
    func access() {
        let writes: [AdminOperation] = [
            .showToken(provider: "a", reveal: true), .loadToken(provider: "a"), .refresh(provider: "a"),
            .expire(provider: "a"), .setActivity, .reload, .drain,
        ]
        #expect(writes.allSatisfy { $0.access == .write })
        let reads: [AdminOperation] = [
            .metrics, .status, .flows(FlowFilter()), .archive(FlowFilter()), .explain(url: "x"),
            .showToken(provider: "a", reveal: false),
        ]
        #expect(reads.allSatisfy { $0.access == .read })
        #expect([AdminOperation.live, .ready].allSatisfy { $0.access == .probe })
    }
}
