import HTTP
import Testing

struct ViaTests {
    @Test("Ours is added as the last field, behind others' own")
    func appends() throws {
        var fields = try fields(["Via: 1.0 fred", "A: b"])
        Via.append(to: &fields, version: .http10, pseudonym: "us")
        #expect(lines(fields) == ["Via: 1.0 fred", "A: b", "Via: 1.0 us"])
        #expect(fields.known(2) == .via)
        #expect(Via.containsLoop(fields, pseudonym: "us"))
    }

    @Test(
        "A loop is seen by our name in the place of received-by, and there alone",
        arguments: [
            ("1.1 us", true), ("1.0 fred, 1.1 US (Apache)", true), ("HTTP/1.1  us", true), ("1.1 us,1.1 b", true),
            ("1.1 b", false), ("us 1.1", false), ("1.1 us2", false), ("1.1 us:80", false), ("1.1 b (us)", false),
            ("", false), ("1.1", false), ("us", false),
        ])
    func loops(_ value: String, _ isLoop: Bool) throws {
        let fields = try fields(["Host: a", "Via: 1.1 other", "via: \(value)"])
        #expect(Via.containsLoop(fields, pseudonym: "us") == isLoop)
    }
}
