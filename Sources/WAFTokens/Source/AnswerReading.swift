/// Reads a token out of what a source gave as bytes. Errors never hold any of those bytes.
struct AnswerReading: Sendable {
    /// Where the token stands in a JSON answer.
    var tokenPointer: JSONPointer
    /// Where its lifetime in seconds stands; there may be nothing.
    var expiresInPointer: JSONPointer

    /// `/token` and `/expiresIn`.
    static let standard = AnswerReading(
        tokenPointer: JSONPointer("/token")!, expiresInPointer: JSONPointer("/expiresIn")!)

    /// The longest lifetime that a source may give: a hundred years.
    static let maximumSeconds = 3_153_600_000.0

    /// A token alone, or the JSON answer where the bytes begin with `{`.
    func tokenOrJSON(_ bytes: [UInt8]) throws(SourceError) -> SourceAnswer {
        if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return try json(bytes) }
        return SourceAnswer(token: try Self.token(bytes))
    }

    /// A JSON answer.
    func json(_ bytes: [UInt8]) throws(SourceError) -> SourceAnswer {
        let document: JSONValue
        do throws(JSONReader.Fault) { document = try JSONReader.read(bytes) } catch {
            throw SourceError(.invalidVerifyChallengeResponse, "the answer cannot be read: \(error)")
        }
        guard case .string(let value)? = tokenPointer.find(in: document) else {
            throw SourceError(
                .invalidVerifyChallengeResponse, "the JSON answer has no string at the token's pointer")
        }
        return SourceAnswer(token: try Self.token(value), expiresIn: try lifetime(in: document))
    }

    private func lifetime(in document: JSONValue) throws(SourceError) -> Duration? {
        switch expiresInPointer.find(in: document) {
        case nil, .null?: return nil
        case .number(let seconds)? where seconds > 0 && seconds <= Self.maximumSeconds:
            return .milliseconds(Int64(seconds * 1000))
        default:
            throw SourceError(
                .invalidVerifyChallengeResponse, "the JSON answer's lifetime is not a number of seconds above 0")
        }
    }

    /// The token that is left after one trailing line end is gone.
    static func token(_ bytes: [UInt8]) throws(SourceError) -> WAFToken {
        var value = bytes[...]
        if value.last == UInt8(ascii: "\n") {
            value.removeLast()
            if value.last == UInt8(ascii: "\r") { value.removeLast() }
        }
        do throws(WAFToken.Fault) { return try WAFToken(value) } catch {
            throw SourceError(.invalidVerifyChallengeResponse, "\(error)")
        }
    }
}
