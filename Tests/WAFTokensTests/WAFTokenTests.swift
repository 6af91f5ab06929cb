import Testing

@testable import WAFTokens

struct WAFTokenTests {
    @Test("A token prints as its fingerprint, in every way there is to print")
    func prints() throws {
        let token = try WAFToken("abc")
        #expect(token.fingerprint == "ba7816bf")
        #expect("\(token)" == "WAFToken(ba7816bf…)")
        #expect(String(reflecting: token) == "WAFToken(ba7816bf…)")
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!dumped.contains("abc") && !dumped.contains("97"))
        let snapshot = TokenSnapshot(token: token, generation: 1, acquiredAt: .zero, expiresAt: nil)
        dumped = ""
        dump(TokenOutcome.token(snapshot), to: &dumped)
        #expect(!dumped.contains("abc") && !dumped.contains("97"))
        #expect(!"\(snapshot)".contains("abc"))
    }

    @Test("The value comes out as it went in")
    func value() throws {
        let text = "!#$%&'()*+-./0123456789:<=>?@ABC[]^_`abc{|}~"
        let token = try WAFToken(text)
        #expect(token.getValue() == text)
        #expect(token.bytes.count == text.utf8.count)
    }

    @Test("1 to 8192 cookie-octets (RFC 6265 §4.1.1) and nothing else")
    func octets() {
        #expect(throws: WAFToken.Fault.empty) { try WAFToken("") }
        #expect(throws: Never.self) { try WAFToken(String(repeating: "a", count: 8192)) }
        #expect(throws: WAFToken.Fault.tooLong(count: 8193)) { try WAFToken(String(repeating: "a", count: 8193)) }
        let forbidden: [UInt8] = Array(0...0x20) + [0x22, 0x2c, 0x3b, 0x5c, 0x7f] + Array(0x80...0xff)
        for byte in UInt8.min...UInt8.max {
            let isToken = (try? WAFToken([0x61, byte])) != nil
            #expect(isToken == !forbidden.contains(byte), "byte \(byte)")
        }
        #expect(throws: WAFToken.Fault.forbiddenByte(offset: 2)) { try WAFToken("ab\ncd") }
    }

    @Test("Equal values are equal tokens")
    func equality() throws {
        let (one, same, other) = (try WAFToken("a"), try WAFToken("a"), try WAFToken("b"))
        #expect(one == same && one.hashValue == same.hashValue)
        #expect(one != other)
    }
}
