import Testing

@testable import HTTP

struct ByteKindTests {
    @Test("The table says what the grammar says, for every byte", arguments: UInt8.min...UInt8.max)
    func table(_ byte: UInt8) {
        let scalar = Character(Unicode.Scalar(byte))
        let isAlphanumeric = scalar.isASCII && (scalar.isLetter || scalar.isNumber)
        let kind = ByteKind.of(byte)
        #expect(kind.contains(.token) == (isAlphanumeric || "!#$%&'*+-.^_`|~".contains(scalar)))
        #expect(kind.contains(.fieldValue) == (byte == 9 || (byte >= 32 && byte != 127)))
        #expect(kind.contains(.target) == (byte > 32 && byte != 127 && scalar != "#"))
        #expect(kind.contains(.digit) == (scalar.isASCII && scalar.isNumber))
        #expect(kind.contains(.hostName) == (isAlphanumeric || "-._~!$&'()*+,;=".contains(scalar)))
        #expect(isBlank(byte) == (byte == 9 || byte == 32))
        #expect(lowercased(byte) == (scalar.isASCII ? Character(scalar.lowercased()).asciiValue : byte))
    }
}
