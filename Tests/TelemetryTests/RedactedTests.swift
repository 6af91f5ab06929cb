import Telemetry
import Testing

@Suite struct RedactedTests {
    @Test func `no way of printing shows the secret`() {
        struct Holder { let secret: Redacted<String> }
        let holder = Holder(secret: Redacted("s3cret"))
        var dumped = ""
        dump(holder, to: &dumped)
        for text in ["\(holder.secret)", "\(holder)", String(reflecting: holder), dumped] {
            #expect(!text.contains("s3cret"))
            #expect(text.contains("<redacted>"))
        }
    }

    @Test func `reveal gives the secret back`() {
        #expect(Redacted("s3cret").reveal() == "s3cret")
        #expect(Redacted("a") == Redacted("a"))
    }
}
