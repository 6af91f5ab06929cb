import Testing

@testable import HTTP

struct IPv6TextTests {
    @Test(
        "Addresses of RFC 4291 §2.2 are valid",
        arguments: [
            "::", "::1", "1::", "1:2:3:4:5:6:7:8", "FE80::ABCD", "1:2::7:8", "1::3:4:5:6:7:8", "::2:3:4:5:6:7:8",
            "::ffff:127.0.0.1", "1:2:3:4:5:6:1.2.3.4", "64:ff9b::10.0.0.255",
        ])
    func valid(_ text: String) { #expect(IPv6Text.isValid(bytes(text).span) == true) }

    @Test(
        "Anything else is not",
        arguments: [
            "", ":", ":::", "1", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "::12345", "g::",
            "1:2:3:4:5:6:7::8", "::1:", "::1.2.3", "::1.2.3.256", "::1.2.3.4.5", "::01.2.3.4", "::1.2.3.", "1.2.3.4",
            "::1.2.3.4:1", "1:2:3:4:5:6:7:1.2.3.4", "::1%eth0", "::.1.2.3", "::a.2.3.4",
        ])
    func invalid(_ text: String) { #expect(IPv6Text.isValid(bytes(text).span) == false) }
}
