// What the token module costs a request: host look-up by the number of patterns, and reading the ready token.
// Prints one JSON object; times are the best of five passes, in nanoseconds.
import WAFTokens

func best(_ count: Int, _ body: (Int) -> Bool) -> Int {
    let clock = ContinuousClock()
    var found = 0
    let times = (0..<5).map { _ in
        clock.measure { for step in 0..<count where body(step) { found += 1 } }
    }
    precondition(found >= 0)
    let shortest = times.min() ?? .zero
    return Int(shortest.components.attoseconds / 1_000_000_000 + shortest.components.seconds * 1_000_000_000) / count
}

func table(_ size: Int) throws -> HostTable<Int> {
    let patterns = try (0..<size).map { index in
        try HostPattern(index % 2 == 0 ? "host-\(index).shop.test" : "*.zone-\(index).shop.test")
    }
    return try HostTable([(patterns: patterns, value: 1)])
}

let rounds = 200_000
var lines: [String] = []
for size in [1, 10_000] {
    let hosts = try table(size)
    let hit = best(rounds) { _ in hosts.lookUp(host: "host-0.shop.test", port: 443) != nil }
    let miss = best(rounds) { _ in hosts.lookUp(host: "elsewhere.example", port: 443) != nil }
    lines.append("\"lookup_ns_\(size)\": \(hit), \"lookup_miss_ns_\(size)\": \(miss)")
}

let provider = try WAFTokenProvider(
    WAFConfiguration(domainName: "shop.test"), source: StaticTokenSource(try WAFToken("token-of-the-benchmark")))
guard case .token = await provider.tokenForRequest() else { fatalError("a static source gives its token") }
lines.append("\"ready_token_ns\": \(best(rounds) { _ in provider.readyToken() != nil })")
print("{\(lines.joined(separator: ", "))}")
await provider.stop()
