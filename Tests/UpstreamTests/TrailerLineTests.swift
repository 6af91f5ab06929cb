import HTTP
import Testing

@testable import Upstream

@Suite struct TrailerLineTests {
    private func parse(_ line: String) -> [String]? {
        var fields = Fields()
        let bytes = Array(line.utf8)
        let isField = bytes.withUnsafeBytes { TrailerLine.append($0, to: &fields) }
        return isField ? lines(of: fields) : nil
    }

    @Test(
        "a line becomes a field without the blanks around its value",
        arguments: [
            ("X: y\r\n", "X: y"), ("X:y\r\n", "X: y"), ("x-Y:\t y z \t\r\n", "x-Y: y z"), ("X:\r\n", "X: "),
            ("X: a:b\r\n", "X: a:b"), ("X: \u{e4}\r\n", "X: \u{c3}\u{a4}"),
        ])
    func fields(line: String, expected: String) {
        #expect(parse(line) == [expected])
    }

    @Test("the empty line is the end and no field", arguments: ["\r\n", "\n", ""])
    func end(line: String) {
        #expect(parse(line) == [])
    }

    @Test(
        "what is not a field is refused",
        arguments: ["X\r\n", ": y\r\n", "X : y\r\n", " X: y\r\n", "X: a\rb\r\n", "X: a\u{0}b\r\n", "X(: y\r\n"])
    func malformed(line: String) {
        #expect(parse(line) == nil)
    }
}
