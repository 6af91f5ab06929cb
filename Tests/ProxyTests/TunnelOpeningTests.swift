import TLS
import Testing

@testable import Proxy

@Suite struct TunnelOpeningTests {
    @Test(
        "what the first bytes say",
        arguments: [
            ("", TunnelOpening.undecided),
            ("G", .undecided),
            ("GET /", .undecided),
            ("GET / HTTP/1.1\r\n", .http),
            ("GET / HTTP/1.0\n", .http),
            ("M-SEARCH * HTTP/1.1\r\nHost", .http),
            ("PRI * HTTP/2.0\r\n", .other),
            ("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", .other),
            ("SSH-2.0-x", .undecided),
            ("\u{0}\u{1}\u{2}", .other),
            ("EHLO mail.test\r\n", .other),
            ("*1\r\n$4\r\nPING\r\n", .other),
            (String(repeating: "A", count: 33), .other),
            ("\u{16}", .undecided),
            ("\u{16}\u{3}\u{1}", .undecided),
            ("\u{16}\u{3}\u{1}\u{0}\u{4}\u{2}\u{0}\u{0}\u{0}", .unreadableTLS),
            ("\u{16}\u{2}", .other),
        ])
    func table(text: String, expected: TunnelOpening) {
        #expect(TunnelOpening.judge(Array(text.utf8).span) == expected)
    }

    @Test("a first line without an end is not waited for for ever")
    func longLine() {
        let line = Array("GET /".utf8) + [UInt8](repeating: 97, count: 64 * 1024)
        #expect(TunnelOpening.judge(line.span) == .other)
    }
}
