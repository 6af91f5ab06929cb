import Foundation
import HTTP
import Testing

/// Random bytes, made of what breaks parsers. `WTP_FUZZ_ITERATIONS` says how many of each kind.
struct FuzzTests {
    private static let iterations =
        ProcessInfo.processInfo.environment["WTP_FUZZ_ITERATIONS"].flatMap { Int($0) } ?? 2000

    /// SplitMix64, so that a failure comes again.
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var word = state
            word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
            return word ^ (word >> 31)
        }
    }

    private static let pieces: [[UInt8]] =
        [
            "\r\n", "\r\n", "\r\n", "\r\n\r\n", "\r", "\n", " ", "\t", ":", ": ", ",", ";", "=", "/", "?", "*", "@",
            "[", "]",
            "GET ", "POST ", "CONNECT ", "OPTIONS ", " HTTP/1.1\r\n", " HTTP/1.0\r\n", " HTTP/2.0\r\n",
            "HTTP/1.1 200 OK\r\n",
            "http://", "https://", "a.test", "a:80", "[::1]", "127.0.0.1", "Host: a\r\n", "Host", "Connection: ",
            "close",
            "keep-alive", "Upgrade: websocket\r\n", "TE: trailers\r\n", "Content-Length: ",
            "Transfer-Encoding: chunked\r\n",
            "Cookie: ", "aws-waf-token=", "x-aws-waf-token: ", "Via: 1.1 us\r\n", "Expect: 100-continue\r\n",
            "Accept: ",
            "application/json;q=0", "0\r\n\r\n", "5\r\nhello\r\n", "ffffffffffffffff", "7", "0",
        ].map(bytes)

    private static func material(_ generator: inout Generator, beginning: String = "") -> [UInt8] {
        var result = bytes(beginning)
        for _ in 0..<Int.random(in: 0...24, using: &generator) {
            if Int.random(in: 0..<8, using: &generator) == 0 {
                result.append(UInt8.random(in: 0...255, using: &generator))
            } else if let piece = pieces.randomElement(using: &generator) {
                result += piece
            }
        }
        return result
    }

    private static func cuts(_ count: Int, _ generator: inout Generator) -> [Int] {
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in Int.random(in: 0...count, using: &generator) }
            .sorted()
    }

    @Test("Whatever comes, a request is judged the same whole and in pieces")
    func requests() {
        var generator = Generator(state: 1)
        let beginnings = ["", "GET / HTTP/1.1\r\n", "POST http://a/ HTTP/1.1\r\nHost: a\r\n"]
        for round in 0..<Self.iterations {
            let bytes =
                Self.material(&generator, beginning: beginnings[round % 3])
                + HTTPTests.bytes(round % 2 == 0 ? "\r\n\r\n" : "")
            let limits = HeadLimits(headBytes: round % 5 == 0 ? 64 : 65_536, headFields: round % 7 == 0 ? 2 : 200)
            let whole = parseRequest(bytes, limits: limits)
            let cuts = Self.cuts(bytes.count, &generator)
            #expect(parseRequest(bytes, cuts: cuts, limits: limits) == whole, "\(bytes), cut at \(cuts)")
        }
    }

    @Test("Whatever comes, chunks are decoded the same whole and in pieces")
    func chunks() {
        var generator = Generator(state: 2)
        for round in 0..<Self.iterations {
            let bytes = Self.material(&generator, beginning: round % 2 == 0 ? "" : "1\r\nx\r\n0\r\n")
            let whole = decodeChunked(bytes)
            let cuts = Self.cuts(bytes.count, &generator)
            #expect(decodeChunked(bytes, cuts: cuts) == whole, "\(bytes), cut at \(cuts)")
        }
    }

    @Test("Whatever comes, nothing that is done with fields traps, and what is written can be read again")
    func edits() throws {
        var generator = Generator(state: 3)
        var good = 0
        for _ in 0..<Self.iterations {
            let bytes =
                Self.material(&generator, beginning: "GET / HTTP/1.1\r\nHost: a\r\n") + HTTPTests.bytes("\r\n\r\n")
            var parser = RequestHeadParser(limits: HeadLimits())
            var head = RequestHead()
            guard let length = try? parser.parse(bytes.span, into: &head), length > 0 else { continue }
            good += 1
            _ = AcceptField.wantsOnlyJSON(head.fields)
            _ = Via.containsLoop(head.fields, pseudonym: "us")
            HopByHop.strip(&head.fields, keepingUpgrade: Bool.random(using: &generator))
            Via.append(to: &head.fields, version: head.version, pseudonym: "us")
            TokenField.attach(
                HTTPTests.bytes("new").span, carrier: Bool.random(using: &generator) ? .cookie : .header,
                policy: .replace, to: &head.fields)
            var out = HTTPTests.bytes("GET / HTTP/1.1\r\n")
            HeadWriter.write(head.fields, into: &out)
            guard case .whole(let again) = parseRequest(out) else {
                Issue.record("not read again: \(text(out).debugDescription)")
                continue
            }
            #expect(again.lines == lines(head.fields))
            #expect(again.length == out.count)
        }
        #expect(good > Self.iterations / 50)
    }

    @Test("Whatever comes, authorities, responses and paths are judged without a trap")
    func others() {
        var generator = Generator(state: 4)
        for _ in 0..<Self.iterations {
            let bytes = Self.material(&generator)
            if let authority = try? Authority(parsing: bytes.span, defaultPort: 80) {
                let again = try? Authority(parsing: HTTPTests.bytes("\(authority)").span, defaultPort: nil)
                #expect(again == authority)
            }
            _ = CookiePath.matches(bytes.span, path: HTTPTests.bytes("/a/").span)
            var parser = ResponseHeadParser()
            var head = ResponseHead()
            var rest = bytes[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: 10).map { $0 + 1 } ?? rest.endIndex
                let line = Array(rest[..<end])
                rest = rest[end...]
                guard (try? parser.feed(line.span, requestMethod: .get, into: &head)) != nil else { break }
            }
            _ = ChallengeDetector.judge(head)
        }
    }
}
