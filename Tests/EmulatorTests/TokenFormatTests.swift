import Testing

@testable import Emulator

@Suite struct TokenFormatTests {
    private let format = TokenFormat(key: [UInt8]("a key for tests"))
    private let claims = TokenClaims(
        serial: 77, challengeSolvedAt: startMsec, captchaSolvedAt: startMsec - 5, domain: "shop.test")

    @Test("A token says what was put into it")
    func roundTrip() {
        for claims in [
            claims,
            TokenClaims(serial: .max, challengeSolvedAt: nil, captchaSolvedAt: nil, domain: ""),
            TokenClaims(serial: 0, challengeSolvedAt: -1, captchaSolvedAt: .max, domain: "a"),
        ] {
            #expect(format.read(format.write(claims)) == claims)
        }
    }

    @Test("A token has 234 characters: letters, digits and :+/=-, with emulated: in front")
    func shape() {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:+/=-".utf8)
        var seen: Set<UInt8> = []
        for _ in 0..<50 {
            let token = format.write(claims)
            #expect(token.count == 234)
            #expect(token.text.hasPrefix("emulated:"))
            seen.formUnion(token)
        }
        #expect(seen.isSubset(of: allowed))
        #expect(seen.isSuperset(of: Array(":+/=-".utf8)))
    }

    @Test(
        "Any length from 234 to 4096 can be had, to the byte or one less", arguments: [234, 235, 300, 1000, 4095, 4096])
    func lengths(length: Int) {
        let token = format.write(claims, length: length)
        #expect(token.count == length || token.count == length - 1)
        #expect(format.read(token) == claims)
    }

    @Test("A domain that needs more room gets it")
    func longDomain() {
        let domain = String(repeating: "a.", count: 126) + "b"
        let claims = TokenClaims(serial: 1, challengeSolvedAt: 1, captchaSolvedAt: nil, domain: domain)
        #expect(format.read(format.write(claims)) == claims)
    }

    @Test("A token that was altered in any one byte, or cut, is unreadable")
    func altered() {
        let token = format.write(claims)
        for i in token.indices {
            var other = token
            other[i] = other[i] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(format.read(other) == nil, "byte \(i)")
            #expect(format.read(Array(token[..<i])) == nil)
        }
        #expect(format.read(token + [UInt8(ascii: "A")]) == nil)
        #expect(format.read(TokenFormat.corrupt(token)) == nil)
        #expect(TokenFormat.corrupt(token).count == token.count)
        #expect(format.read([]) == nil)
        #expect(format.read([UInt8]("emulated:")) == nil)
    }

    @Test("A token of another key is unreadable, and no two tokens are the same")
    func keys() {
        let token = format.write(claims)
        #expect(TokenFormat(key: [UInt8]("another key")).read(token) == nil)
        #expect(format.write(claims) != token)
        #expect(TokenFormat.fingerprint(token).count == 8)
        #expect(TokenFormat.fingerprint([UInt8]("abc")) == "ba7816bf")
    }
}
