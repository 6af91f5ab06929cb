import Testing
import WAFTokens

@testable import Admin

@Suite struct AdminBodyTests {
    @Test("a token comes with or without its lifetime")
    func token() throws {
        let plain = try AdminBody.token(Array(#"{"token":"a\u0062c"}"#.utf8))
        #expect(plain.token.getValue() == "abc")
        #expect(plain.expiresIn == nil)
        let timed = try AdminBody.token(Array(#" { "expiresIn" : 1.5 , "token" : "x" } "#.utf8))
        #expect(timed.expiresIn == .milliseconds(1500))
        #expect(try AdminBody.token(Array(#"{"token":"x","expiresIn":null}"#.utf8)).expiresIn == nil)
    }

    @Test(
        "whatever else is refused, and nothing of it is repeated",
        arguments: [
            "", "{}", "[]", "\"s3cret\"", "{\"token\":1}", "{\"token\":\"\"}", "{\"token\":\"s3 cret\"}",
            "{\"token\":\"s3cret\",\"expiresIn\":0}", "{\"token\":\"s3cret\",\"expiresIn\":-1}",
            "{\"token\":\"s3cret\",\"expiresIn\":\"5\"}", "{\"token\":\"s3cret\",\"expiresIn\":1e99}",
            "{\"token\":\"s3cret\",\"s3cret\":1}", "{\"token\":\"s3cret\",\"token\":\"s3cret\"}",
            "{\"token\":\"s3cret\"} x", "{\"token\":\"s3cret\"", "token=s3cret",
        ])
    func refusedToken(body: String) {
        #expect {
            _ = try AdminBody.token(Array(body.utf8))
        } throws: { error in
            (error as? AdminRefusal)?.kind == .badRequest && !"\(error)".contains("s3cret")
        }
    }

    @Test("activity is for all providers or one")
    func activity() throws {
        #expect(try AdminBody.activity(Array(#"{"active":true}"#.utf8)) == (true, nil))
        #expect(try AdminBody.activity(Array(#"{"active":false,"provider":"shop"}"#.utf8)) == (false, "shop"))
        for body in ["{}", #"{"active":1}"#, #"{"active":true,"provider":1}"#, #"{"active":true,"x":1}"#] {
            #expect(throws: AdminRefusal.self) { try AdminBody.activity(Array(body.utf8)) }
        }
    }

    @Test("a call without arguments has no body, or an empty object")
    func nothing() throws {
        try AdminBody.nothing([])
        try AdminBody.nothing(Array("{ }".utf8))
        for body in ["[]", "null", #"{"a":1}"#, "x"] {
            #expect(throws: AdminRefusal.self) { try AdminBody.nothing(Array(body.utf8)) }
        }
    }
}

private func == (left: (isActive: Bool, provider: String?), right: (Bool, String?)) -> Bool {
    left.isActive == right.0 && left.provider == right.1
}
