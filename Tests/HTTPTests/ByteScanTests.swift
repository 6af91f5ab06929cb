import Testing

@testable import HTTP

struct ByteScanTests {
    @Test("A value ends at the same byte whatever its place among eight", arguments: UInt8.min...UInt8.max)
    func endOfFieldValue(_ byte: UInt8) {
        let endsValue = byte != 9 && (byte < 32 || byte == 127)
        for length in 1...20 {
            for place in 0..<length {
                var bytes = [UInt8](repeating: 0x80, count: length)
                bytes[place] = byte
                let all = 0..<length
                #expect(bytes.span.endOfFieldValue(in: all) == (endsValue ? place : length))
                let found = bytes.span.firstIndex(of: byte, in: all)
                #expect(found == (byte == 0x80 ? 0 : place))
            }
        }
    }

    @Test("Nothing outside the range is looked at")
    func ranges() {
        let bytes = bytes("\n0123456789abcdef\n")
        #expect(bytes.span.firstIndex(of: 10, in: 1..<17) == 17)
        #expect(bytes.span.endOfFieldValue(in: 1..<17) == 17)
        #expect(bytes.span.end(of: .token, in: 1..<17) == 17)
        #expect(bytes.span.firstIndex(of: 10, in: 5..<5) == 5)
    }

    @Test("Blanks are trimmed at both ends", arguments: [("", ""), (" \t", ""), (" a b\t ", "a b"), ("a", "a")])
    func trims(_ whole: String, _ trimmed: String) {
        let bytes = bytes(whole)
        #expect(text(bytes.span.extracting(bytes.span.trimmed(0..<bytes.count))) == trimmed)
    }
}
