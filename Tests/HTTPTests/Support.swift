import HTTP

/// One byte for each scalar below 256, so that tables can hold control bytes and obs-text.
func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

func text(_ span: Span<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for index in 0..<span.count { text.append(Unicode.Scalar(span[index])) }
    return String(text)
}

func text(_ array: [UInt8]) -> String { text(array.span) }

/// Every line as it would be written.
func lines(_ fields: borrowing Fields) -> [String] {
    var lines: [String] = []
    for index in 0..<fields.count { lines.append(text(fields.line(index))) }
    return lines
}

/// Fields as a parser would make them.
func fields(_ lines: [String]) throws(HTTPError) -> Fields {
    var fields = Fields()
    for line in lines { _ = try FieldLine.append(bytes(line + "\r\n").span, to: &fields) }
    return fields
}

/// All that a parsed head says, for comparing.
struct HeadSummary: Equatable {
    var length: Int
    var method: Method
    var start: String
    var target: RequestTarget
    var version: HTTPVersion
    var lines: [String]
    var framing: BodyFraming
    var flags: [Bool]

    init(_ head: borrowing RequestHead, length: Int) {
        self.length = length
        method = head.method
        start = text(head.methodBytes) + " " + text(head.targetBytes)
        target = head.target
        version = head.version
        lines = HTTPTests.lines(head.fields)
        framing = head.framing
        flags = [head.keepAlive, head.expectsContinue, head.upgradesToWebSocket]
    }
}

/// The outcome of a parser: what came out, nothing yet, or why it was refused.
enum Outcome<Value: Equatable>: Equatable {
    case whole(Value)
    case incomplete
    case refused(HTTPError.Reason)
}

/// Shows the parser ever longer beginnings of the bytes, one for each cut and then all.
func parseRequest(
    _ bytes: [UInt8], cuts: [Int] = [], limits: HeadLimits = HeadLimits()
) -> Outcome<HeadSummary> {
    var parser = RequestHeadParser(limits: limits)
    var head = RequestHead()
    for end in cuts + [bytes.count] {
        do throws(HTTPError) {
            if let length = try parser.parse(bytes.span.extracting(0..<end), into: &head) {
                return .whole(HeadSummary(head, length: length))
            }
        } catch {
            return .refused(error.reason)
        }
    }
    return .incomplete
}

func parsedHead(_ string: String) throws -> RequestHead {
    var parser = RequestHeadParser(limits: HeadLimits())
    var head = RequestHead()
    let bytes = bytes(string)
    guard try parser.parse(bytes.span, into: &head) == bytes.count else { throw Incomplete() }
    return head
}

struct Incomplete: Error {}
