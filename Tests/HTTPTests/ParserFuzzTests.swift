import Foundation
import HTTP
import Testing

/// Random input from a fixed seed: no parser traps, and pieces give what the whole gives.
///
/// `WTP_FUZZ_ITERATIONS` (default 2,000) says how many inputs each test makes, `WTP_FUZZ_SEED` from which number. A
/// failure prints the input.
@Suite("Random input")
struct ParserFuzzTests {
    static let iterations = number("WTP_FUZZ_ITERATIONS") ?? 2_000
    static let seed = UInt64(number("WTP_FUZZ_SEED") ?? 1)

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Bits of messages that meet a rule each.
    static let pieces = [
        "GET ", "POST ", "CONNECT ", "OPTIONS ", "/", "*", "http://", "HTTPS://", "shop.test", "[::1]", ":443", ":",
        "@", "?q", "#",
        " HTTP/1.1\r\n", " HTTP/1.0\r\n", " HTTP/2.0\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100\r\n",
        "HTTP/1.0 204 \r\n", "Host: a\r\n",
        "Host: b:1\r\n", "Content-Length: 5\r\n", "Content-Length: 5", "Transfer-Encoding: chunked\r\n",
        "Connection: close, x\r\n",
        "Upgrade: websocket\r\n", "Cookie: a=b; aws-waf-token=c; d\r\n", "X: y\r\n", "X : y\r\n", " folded\r\n", "\r\n",
        "\r\n\r\n", "\r", "\n",
        "5\r\nhello\r\n", "0\r\n", "0\r\n\r\n", "ff", "5;x=\"y\"\r\n", "hello", "\u{0}", "\u{7f}", "\u{80}", "\u{ff}",
        "\t", " ", ",", ";", "=",
        "aws-waf-token=", "fffffffffffffff", "7fffffffffffffff\r\n", "::", "1.2.3.4", "%",
    ].map(bytes)

    static func input(_ generator: inout SeededGenerator) -> [UInt8] {
        var input: [UInt8] = []
        for _ in 0..<Int.random(in: 0...24, using: &generator) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: input.append(UInt8.random(in: 0...255, using: &generator))
            case 1: input.append(contentsOf: repeatElement(UInt8.random(in: 0x20...0x7e, using: &generator), count: 40))
            default: input.append(contentsOf: pieces.randomElement(using: &generator) ?? [])
            }
        }
        // Once in a while a whole message that was damaged in one place.
        if Int.random(in: 0..<4, using: &generator) == 0 {
            input = bytes(CutTests.requests.randomElement(using: &generator) ?? "")
            if !input.isEmpty {
                let place = Int.random(in: 0..<input.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: input[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: input.remove(at: place)
                default: input.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                }
            }
        }
        return input
    }

    static func cuts(of input: [UInt8], _ generator: inout SeededGenerator) -> [Int] {
        (0..<Int.random(in: 1...6, using: &generator)).map { _ in Int.random(in: 0...input.count, using: &generator) }
            .sorted()
    }

    private func forEachInput(_ salt: UInt64, _ body: ([UInt8], [Int]) -> Void) {
        var generator = SeededGenerator(seed: Self.seed &* 0x1_0000 &+ salt)
        for _ in 0..<Self.iterations {
            let input = Self.input(&generator)
            body(input, Self.cuts(of: input, &generator))
        }
    }

    private func expectEqual<Head: Equatable>(
        _ cut: Outcome<Head>, _ whole: Outcome<Head>, _ input: [UInt8], _ cuts: [Int]
    ) {
        if cut != whole { Issue.record("cut at \(cuts): \(cut), whole: \(whole), input: \(input)") }
    }

    @Test("request heads")
    func requests() {
        var reused = RequestHead()
        forEachInput(1) { input, cuts in
            for limits in [HeadLimits(), HeadLimits(headBytes: 64, headFields: 3)] {
                let whole = parse(request: input, limits: limits)
                expectEqual(parse(request: input, cuts: cuts, limits: limits, into: &reused), whole, input, cuts)
            }
        }
    }

    @Test("response heads")
    func responses() {
        forEachInput(2) { input, cuts in
            for limits in [ResponseHeadParser.defaultLimits, HeadLimits(headBytes: 64, headFields: 3)] {
                let whole = parse(response: input, limits: limits)
                expectEqual(parse(response: input, cuts: cuts, limits: limits), whole, input, cuts)
            }
        }
    }

    @Test("chunked bodies")
    func chunked() {
        forEachInput(3) { input, cuts in
            expectEqual(decode(chunked: input, cuts: cuts), decode(chunked: input), input, cuts)
        }
    }

    @Test("a head that was parsed and edited can be written and parsed again, with the token once and first")
    func edited() {
        let (token, host) = (bytes("0a1b2c3d:+/=-"), bytes("shop.test"))
        forEachInput(4) { input, _ in
            let text =
                bytes("GET http://shop.test HTTP/1.1\r\nHost: a\r\n") + input.filter { $0 != 0x0d && $0 != 0x0a }
                + bytes("\r\n\r\n")
            var head = RequestHead()
            guard case .whole = parse(request: text, into: &head) else { return }
            HopByHop.strip(&head.fields, keepingUpgrade: head.upgradesToWebSocket)
            head.fields.setHost(host.span)
            Via.append(to: &head.fields, version: head.version, pseudonym: "waf-token-proxy")
            TokenField.attach(token.span, carrier: .cookie, to: &head.fields)
            var out: [UInt8] = []
            HeadWriter.write(request: head, into: &out)
            let again = parse(request: out)
            guard let parsed = again.head else {
                Issue.record("\(again): \(latin1(out))")
                return
            }
            if parsed.lines != lines(of: head.fields) { Issue.record("\(parsed.lines), input: \(input)") }
            let cookies = (0..<head.fields.count).filter { head.fields.known($0) == .cookie }
            let ours = "aws-waf-token=" + latin1(token)
            if cookies.count != 1 || !latin1(head.fields.value(cookies[0])).hasPrefix(ours) {
                Issue.record("\(lines(of: head.fields)), input: \(input)")
            }
            TokenField.remove(from: &head.fields)
            if TokenField.isPresent(in: head.fields, carrier: .cookie) { Issue.record("still there, input: \(input)") }
        }
    }

    @Test("authorities: what is accepted reads back as itself")
    func authorities() {
        forEachInput(5) { input, _ in
            guard let parsed = try? Authority(parsing: input.span, defaultPort: 80) else { return }
            let text = bytes(parsed.description)
            if (try? Authority(parsing: text.span, defaultPort: nil)) != parsed {
                Issue.record("\(parsed), input: \(input)")
            }
        }
    }
}
