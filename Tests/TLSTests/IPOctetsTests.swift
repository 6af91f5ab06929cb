import Testing

@testable import TLS

@Suite struct IPOctetsTests {
    @Test(
        "Addresses have one spelling",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::1", "::1"), ("2001:DB8:0:0::1", "2001:db8::1"),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("::", "::"),
        ])
    func spelling(text: String, expected: String) {
        #expect(IPOctets(text)?.text == expected)
    }

    @Test(
        "What is no literal is none",
        arguments: ["", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "[::1]", "fe80::1%eth0", "1.2.3.4 ", "::g", "a"])
    func refused(text: String) {
        #expect(IPOctets(text) == nil)
    }
}
