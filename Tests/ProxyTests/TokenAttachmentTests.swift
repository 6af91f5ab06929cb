import HTTP
import Telemetry
import Testing
import WAFTokens

@testable import Proxy

@Suite struct TokenAttachmentTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var head: String
        var policy: @Sendable (inout AttachPolicy) -> Void = { _ in }
        var applies: Bool
        var testDescription: String { name }
    }

    private static func head(_ start: String, _ lines: String...) -> String {
        ([start + " HTTP/1.1", "Host: a.test"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static let get = head("GET http://a.test/web/login?x=/")
    private static let withCookie = head("GET http://a.test/", "Cookie: a=b; aws-waf-token=theirs")
    private static let withHeader = head("GET http://a.test/", "X-Aws-Waf-Token: theirs")
    private static let preflight = head("OPTIONS http://a.test/", "Access-Control-Request-Method: PUT")

    @Test(
        "which requests the token belongs on",
        arguments: [
            Row(name: "any", head: get, applies: true),
            Row(name: "a preflight", head: preflight, applies: false),
            Row(
                name: "a preflight, asked for", head: preflight, policy: { $0.attachToPreflight = true }, applies: true),
            Row(name: "OPTIONS alone", head: head("OPTIONS http://a.test/"), applies: true),
            Row(name: "the cookie's path", head: get, policy: { $0.cookiePath = Array("/web".utf8) }, applies: true),
            Row(
                name: "the very path", head: get, policy: { $0.cookiePath = Array("/web/login".utf8) }, applies: true),
            Row(name: "another path", head: get, policy: { $0.cookiePath = Array("/we".utf8) }, applies: false),
            Row(
                name: "a path that the query alone has", head: head("GET http://a.test/?/web"),
                policy: { $0.cookiePath = Array("/web".utf8) }, applies: false),
            Row(name: "no path at all", head: head("GET http://a.test"), applies: true),
            Row(name: "replace", head: withCookie, applies: true),
            Row(name: "keep, cookie", head: withCookie, policy: { $0.clientToken = .keep }, applies: false),
            Row(name: "keep, nothing there", head: get, policy: { $0.clientToken = .keep }, applies: true),
            Row(name: "keep, other carrier", head: withHeader, policy: { $0.clientToken = .keep }, applies: true),
            Row(
                name: "keep, header", head: withHeader,
                policy: {
                    $0.clientToken = .keep
                    $0.carrier = .header
                }, applies: false),
            Row(name: "fill, cookie", head: withCookie, policy: { $0.clientToken = .fill }, applies: false),
            Row(name: "fill, header", head: withHeader, policy: { $0.clientToken = .fill }, applies: false),
            Row(name: "fill, nothing there", head: get, policy: { $0.clientToken = .fill }, applies: true),
        ])
    func applies(row: Row) throws {
        var policy = AttachPolicy()
        row.policy(&policy)
        let belongs = policy.belonging(on: try parse(row.head), isVerified: true)
        #expect((belongs == .yes) == row.applies)
    }

    @Test("an origin whose certificate is not verified gets the token only where that is allowed")
    func unverified() throws {
        var policy = AttachPolicy()
        #expect(policy.belonging(on: try parse(Self.get), isVerified: false) == .unverifiedOrigin)
        policy.allowInsecureToken = true
        #expect(policy.belonging(on: try parse(Self.get), isVerified: false) == .yes)
    }

    @Test("ours takes the place of the client's, in either carrier")
    func attaching() throws {
        let token = try WAFToken("ours")
        var head = try parse(Self.withCookie)
        AttachPolicy().attach(token, to: &head.fields)
        #expect(lines(of: head.fields) == ["Host: a.test", "Cookie: aws-waf-token=ours; a=b"])
        var policy = AttachPolicy()
        policy.carrier = .header
        policy.attach(token, to: &head.fields)
        #expect(lines(of: head.fields) == ["Host: a.test", "Cookie: a=b", "x-aws-waf-token: ours"])
    }

    @Test("the provider's fields stand in the place of the client's of the same name, once")
    func headers() throws {
        var policy = AttachPolicy()
        policy.headers = [
            SecretHeader(name: "X-Bot", value: Redacted("secret")), SecretHeader(name: "X-New", value: Redacted("n")),
        ]
        var head = try parse(Self.head("GET http://a.test/", "x-bot: a", "B: c", "X-BOT: d"))
        policy.addHeaders(to: &head.fields)
        #expect(lines(of: head.fields) == ["Host: a.test", "x-bot: secret", "B: c", "X-New: n"])
    }

    @Test("a token that an origin sets is taken off the answer; what cannot be one stays")
    func setTokens() {
        var fields = Fields()
        fields.append("Set-Cookie", "a=b")
        fields.append("Set-Cookie", "aws-waf-token=new; Path=/; Secure")
        fields.append("Set-Cookie", "aws-waf-token=; Max-Age=0")
        fields.append("X", "y")
        #expect(fields.takeSetTokens() == [Array("new".utf8)])
        #expect(lines(of: fields) == ["Set-Cookie: a=b", "Set-Cookie: aws-waf-token=; Max-Age=0", "X: y"])
        #expect(fields.takeSetTokens().isEmpty)
    }

    private func parse(_ text: String) throws -> RequestHead {
        var parser = RequestHeadParser(limits: HeadLimits())
        var head = RequestHead()
        _ = try #require(try parser.parse(Array(text.utf8).span, into: &head))
        return head
    }

    private func lines(of fields: Fields) -> [String] {
        (0..<fields.count).map { index in
            let line = fields.name(index).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            return line + ": " + fields.value(index).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }
    }
}
