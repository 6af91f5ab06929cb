import Testing

@testable import WAFTokens

struct AnswerReadingTests {
    private func read(_ text: String) throws -> SourceAnswer {
        try AnswerReading.standard.tokenOrJSON(Array(text.utf8))
    }

    @Test("One trailing line end is stripped, and nothing else")
    func lineEnd() throws {
        #expect(try read("abc\n").token.getValue() == "abc")
        #expect(try read("abc\r\n").token.getValue() == "abc")
        #expect(try read("abc").token.getValue() == "abc")
        for text in ["abc\n\n", "abc\r", "abc ", " abc", "a\nbc", "\"abc\"", "", "\n"] {
            #expect(throws: SourceError.self, "\(text)") { try read(text) }
        }
    }

    @Test("A JSON answer gives the token and its lifetime in seconds")
    func json() throws {
        let answer = try read(#"{"token":"abc","expiresIn":12.5}"#)
        #expect(answer.token.getValue() == "abc")
        #expect(answer.expiresIn == .milliseconds(12_500))
        #expect(try read(#"{"token":"abc"}"#).expiresIn == nil)
        #expect(try read(#"{"token":"abc","expiresIn":null}"#).expiresIn == nil)
    }

    @Test(
        "A JSON answer without a usable token or lifetime is a failure, and its error shows nothing of it",
        arguments: [
            #"{"tok":"secret"}"#, #"{"token":17}"#, #"{"token":""}"#, #"{"token":"sec ret"}"#, #"{"token":null}"#,
            #"{"token":"secret","expiresIn":0}"#, #"{"token":"secret","expiresIn":-1}"#,
            #"{"token":"secret","expiresIn":"12"}"#, #"{"token":"secret","expiresIn":1e300}"#, #"{"token":"secret""#,
            #"{"token":"secret","token":"secret"}"#,
        ])
    func badJSON(text: String) {
        #expect {
            try read(text)
        } throws: { error in
            let error = error as? SourceError
            return error == SourceError(.invalidVerifyChallengeResponse, "")
                && error.map { "\($0)".contains("secret") } == false
        }
    }
}
