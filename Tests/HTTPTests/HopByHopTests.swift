import HTTP
import Testing

struct HopByHopTests {
    struct Case: Sendable {
        let title: String
        let fields: [String]
        var keepingUpgrade = false
        let left: [String]
    }

    static let cases: [Case] = [
        Case(title: "nothing to do", fields: ["Host: a", "X:  y "], left: ["Host: a", "X:  y "]),
        Case(
            title: "fields of one connection",
            fields: [
                "Host: a", "Connection: keep-alive", "Proxy-Connection: keep-alive", "Keep-Alive: 5", "TE: gzip",
                "Upgrade: h2c", "HTTP2-Settings: AA", "Proxy-Authorization: Basic x", "Proxy-Authenticate: Basic",
                "Proxy-Authentication-Info: x", "Transfer-Encoding: chunked", "Trailer: Digest", "X: y",
            ],
            left: ["Host: a", "Trailer: Digest", "X: y"]),
        Case(
            title: "what Connection nominates, whatever its case and in several fields",
            fields: [
                "x-one: 1", "Connection: X-One, close,,x-two ", "X-Three: 3", "X-TWO: 2", "X-One: 4",
                "connection: x-three",
            ],
            left: []),
        Case(
            title: "what cannot be nominated away",
            fields: [
                "Connection: Host, Cookie, Content-Length, Via, x-aws-waf-token", "Host: a", "Cookie: b",
                "Content-Length: 1", "Via: 1.1 c", "x-aws-waf-token: d",
            ],
            left: ["Host: a", "Cookie: b", "Content-Length: 1", "Via: 1.1 c", "x-aws-waf-token: d"]),
        Case(
            title: "options that are no field's name, and names in part",
            fields: ["Close: a", "Connection: close, X", "Xy: b", "X-X: c", "Connection:"],
            left: ["Close: a", "Xy: b", "X-X: c"]),
        Case(
            title: "trailers stay wanted, by one field of each",
            fields: ["TE: gzip, trailers", "A: b", "Connection: TE, close", "te: trailers", "Connection: x"],
            left: ["TE: trailers", "A: b", "Connection: TE"]),
        Case(
            title: "what was right already stays as it came",
            fields: ["TE:trailers", "Connection:  TE"], left: ["TE:trailers", "Connection:  TE"]),
        Case(
            title: "TE gets the option that it needs", fields: ["TE: trailers", "A: b"],
            left: ["TE: trailers", "A: b", "Connection: TE"]),
        Case(
            title: "an upgrade to WebSocket alone",
            fields: ["Upgrade: h2c, websocket", "Connection: keep-alive, Upgrade, X", "X: y", "Upgrade: z", "A: b"],
            keepingUpgrade: true, left: ["Upgrade: websocket", "Connection: Upgrade", "A: b"]),
        Case(
            title: "an upgrade and trailers",
            fields: ["TE: trailers", "Upgrade: websocket", "Connection: TE, Upgrade"], keepingUpgrade: true,
            left: ["TE: trailers", "Upgrade: websocket", "Connection: Upgrade, TE"]),
        Case(
            title: "an upgrade that is not kept", fields: ["Upgrade: websocket", "Connection: Upgrade", "A: b"],
            left: ["A: b"]),
    ]

    @Test("Only what is meant for this connection goes", arguments: cases)
    func strips(_ testCase: Case) throws {
        var fields = try fields(testCase.fields)
        HopByHop.strip(&fields, keepingUpgrade: testCase.keepingUpgrade)
        #expect(lines(fields) == testCase.left, "\(testCase.title)")
        HopByHop.strip(&fields, keepingUpgrade: testCase.keepingUpgrade)
        #expect(lines(fields) == testCase.left, "\(testCase.title), twice")
    }
}
