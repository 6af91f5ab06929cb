public import Telemetry

/// Where a provider's tokens come from.
public enum TokenSourceSettings: Sendable, Equatable {
    /// A token service.
    case http(HTTPSourceSettings)
    /// A command's standard output: the program and its arguments, no shell.
    case exec(command: [String], timeoutMsec: Int)
    /// A file that others replace.
    case file(path: String)
    /// One token that was given.
    case fixed(Redacted<String>)
}

/// A token service and how its answer is read.
public struct HTTPSourceSettings: Sendable, Equatable {
    /// Where the token stands in the answer.
    public enum Answer: Sendable, Equatable {
        /// In a JSON body, at JSON pointers (RFC 6901).
        case json(tokenPointer: String, expiresInPointer: String)
        /// In a response field.
        case header(String)
        /// In a cookie that the response sets.
        case cookie(String)
        /// The body is the token.
        case body
    }

    /// `http` or `https`.
    public var url: String
    /// `GET`, `POST` or `PUT`.
    public var method = "POST"
    /// Request fields.
    public var headers: [HeaderSetting] = []
    /// Request body.
    public var body: Redacted<String>?
    /// Where the token stands in the answer.
    public var answer = Answer.json(tokenPointer: "/token", expiresInPointer: "/expiresIn")
    /// Bound on one fetch.
    public var timeoutMsec = 10_000

    /// The usual request to `url`.
    public init(url: String) {
        self.url = url
    }
}
