import HTTP

/// Latin-1, so that any byte can be written in a test.
func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
}

func latin1(_ span: Span<UInt8>) -> String { span.withUnsafeBufferPointer { latin1($0) } }

func lines(of fields: Fields) -> [String] { (0..<fields.count).map { latin1(fields.line($0)) } }

/// Fields from lines as they stand in a head.
func fields(_ lines: String...) -> Fields { fields(lines) }

func fields(_ lines: [String]) -> Fields {
    let head = bytes((["HTTP/1.1 200 OK"] + lines).joined(separator: "\r\n") + "\r\n\r\n")
    var parser = ResponseHeadParser()
    var parsed = ResponseHead()
    guard (try? parser.parse(head.span, requestMethod: .head, into: &parsed)) == head.count else {
        preconditionFailure("not fields: \(lines)")
    }
    return parsed.fields
}

/// What came of parsing, however it was cut.
enum Outcome<Head: Equatable>: Equatable {
    case whole(Head)
    case incomplete
    case refused(HTTPError.Reason)

    var head: Head? { if case .whole(let head) = self { head } else { nil } }
    var reason: HTTPError.Reason? { if case .refused(let reason) = self { reason } else { nil } }
}

/// Everything that a request parser says.
struct ParsedRequest: Equatable {
    var method: Method
    var methodText: String
    var target: RequestTarget
    var targetText: String
    var path: String
    var version: HTTPVersion
    var lines: [String]
    var framing: BodyFraming
    var keepAlive: Bool
    var expectsContinue: Bool
    var upgrades: Bool
    var consumed: Int

    init(_ head: RequestHead, consumed: Int) {
        method = head.method
        methodText = latin1(head.methodBytes)
        target = head.target
        targetText = latin1(head.targetBytes)
        path = latin1(head.pathBytes)
        version = head.version
        lines = HTTPTests.lines(of: head.fields)
        framing = head.framing
        keepAlive = head.keepAlive
        expectsContinue = head.expectsContinue
        upgrades = head.upgradesToWebSocket
        self.consumed = consumed
    }
}

/// Parses after each of `cuts` bytes and at last the whole; `head` may hold an earlier request.
func parse(
    request bytes: [UInt8], cuts: [Int] = [], limits: HeadLimits = HeadLimits(), into head: inout RequestHead
) -> Outcome<ParsedRequest> {
    var parser = RequestHeadParser(limits: limits)
    do throws(HTTPError) {
        for cut in cuts + [bytes.count] {
            if let consumed = try parser.parse(bytes.span.extracting(first: cut), into: &head) {
                return .whole(ParsedRequest(head, consumed: consumed))
            }
            _ = ParsedRequest(head, consumed: 0)  // what is there may be looked at
        }
        return .incomplete
    } catch {
        _ = ParsedRequest(head, consumed: 0)
        return .refused(error.reason)
    }
}

func parse(
    request bytes: [UInt8], cuts: [Int] = [], limits: HeadLimits = HeadLimits()
) -> Outcome<ParsedRequest> {
    var head = RequestHead()
    return parse(request: bytes, cuts: cuts, limits: limits, into: &head)
}

func parse(_ text: String, limits: HeadLimits = HeadLimits()) -> Outcome<ParsedRequest> {
    parse(request: bytes(text), limits: limits)
}

/// A request with these lines and the empty one.
func request(_ lines: String...) -> String { lines.joined(separator: "\r\n") + "\r\n\r\n" }

/// Everything that a response parser says.
struct ParsedResponse: Equatable {
    var status: Int
    var reason: String
    var version: HTTPVersion
    var lines: [String]
    var framing: ResponseFraming
    var keepAlive: Bool
    var consumed: Int

    init(_ head: ResponseHead, consumed: Int) {
        status = head.status
        reason = latin1(head.reason)
        version = head.version
        lines = HTTPTests.lines(of: head.fields)
        framing = head.framing
        keepAlive = head.keepAlive
        self.consumed = consumed
    }
}

/// Parses a block, after each of `cuts` bytes and at last the whole.
func parse(
    response bytes: [UInt8], method: Method = .get, cuts: [Int] = [],
    limits: HeadLimits = ResponseHeadParser.defaultLimits
) -> Outcome<ParsedResponse> {
    var parser = ResponseHeadParser(limits: limits)
    var head = ResponseHead()
    do throws(HTTPError) {
        for cut in cuts + [bytes.count] {
            let part = bytes.span.extracting(first: cut)
            if let consumed = try parser.parse(part, requestMethod: method, into: &head) {
                return .whole(ParsedResponse(head, consumed: consumed))
            }
        }
        return .incomplete
    } catch {
        return .refused(error.reason)
    }
}

/// Feeds one line after the other, as libcurl does.
func feed(_ text: String, method: Method = .get) -> Outcome<ParsedResponse> {
    var parser = ResponseHeadParser()
    var head = ResponseHead()
    var consumed = 0
    var line: [UInt8] = []
    do throws(HTTPError) {
        for byte in bytes(text) {
            line.append(byte)
            consumed += 1
            guard byte == 0x0a else { continue }
            if try parser.feed(line.span, requestMethod: method, into: &head) {
                return .whole(ParsedResponse(head, consumed: consumed))
            }
            line = []
        }
        return .incomplete
    } catch {
        return .refused(error.reason)
    }
}

/// What a chunked body was.
struct ParsedBody: Equatable {
    var body: String
    var trailers: [String]
    var consumed: Int
}

/// Decodes pieces that end at each of `cuts`.
func decode(chunked bytes: [UInt8], cuts: [Int] = []) -> Outcome<ParsedBody> {
    var decoder = ChunkedDecoder()
    var body: [UInt8] = []
    var start = 0
    do throws(HTTPError) {
        for cut in cuts + [bytes.count] {
            start += try decoder.decode(bytes.span.extracting(start..<cut)) { piece in
                piece.withUnsafeBufferPointer { body.append(contentsOf: $0) }
            }
            if decoder.isFinished {
                return .whole(ParsedBody(body: latin1(body), trailers: lines(of: decoder.trailers), consumed: start))
            }
        }
        return .incomplete
    } catch {
        return .refused(error.reason)
    }
}

/// A generator whose numbers are the same in every run (SplitMix64, Steele and others 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
