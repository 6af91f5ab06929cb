public import Telemetry

/// A token service: one HTTP request, one answer. The request itself is made by the closure that is handed in.
public struct HTTPTokenSource: TokenSource {
    /// Where the token stands in the answer.
    public enum Answer: Sendable, Hashable {
        /// In a JSON body of at most 64 KiB and 32 levels; the lifetime in seconds beside it, where there is one.
        case json(token: JSONPointer, expiresIn: JSONPointer)
        /// In the response field of that name, which has to stand there once.
        case header(String)
        /// In a cookie of that name that the response sets; the last one counts.
        case cookie(String)
        /// The body is the token, up to one trailing line end.
        case body
    }

    /// What is asked. Neither fields nor body can be printed.
    public struct Request: Sendable {
        /// `http` or `https`.
        public var url: String
        /// Such as `POST`.
        public var method: String
        /// Request fields in their order.
        public var headers: [SecretHeader]
        /// Request body.
        public var body: Redacted<[UInt8]>?
        /// Bound on the whole exchange.
        public var timeout: Duration
        /// A longer body is an error.
        public var maximumBytes = JSONReader.maximumCount

        /// A request, `POST` and bounded by 10 s unless said otherwise.
        public init(
            url: String, method: String = "POST", headers: [SecretHeader] = [], body: Redacted<[UInt8]>? = nil,
            timeout: Duration = .seconds(10)
        ) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
            self.timeout = timeout
        }
    }

    /// What came back.
    public struct Response: Sendable {
        /// Status code.
        public var status: Int
        /// Response fields in their order.
        public var fields: [(name: String, value: [UInt8])]
        /// The whole body.
        public var body: [UInt8]

        /// A response.
        public init(status: Int, fields: [(name: String, value: [UInt8])] = [], body: [UInt8]) {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    /// Makes one exchange, without redirects. Throws `errorInvokingGetChallengeEndpoint` where no answer came, and
    /// `socketTimeoutException` where it did not come in time.
    public typealias Fetch = @Sendable (Request) async throws(SourceError) -> Response

    private let request: Request
    private let answer: Answer
    private let perform: Fetch

    /// A source that asks `request` by `fetch`.
    public init(_ request: Request, answer: Answer, fetch: @escaping Fetch) {
        self.request = request
        self.answer = answer
        perform = fetch
    }

    /// The request's own, and a moment for its own error to arrive.
    public var timeout: Duration { request.timeout + .milliseconds(500) }

    /// Asks once. A status other than 2xx, an empty and a malformed answer are failures.
    public func fetch(_ context: SourceRequest) async throws(SourceError) -> SourceAnswer {
        let response = try await perform(request)
        guard (200...299).contains(response.status) else {
            throw SourceError(.errorInvokingVerifyEndpoint, "the token service answered with status \(response.status)")
        }
        guard response.body.count <= request.maximumBytes else {
            throw SourceError(
                .invalidVerifyChallengeResponse, "the answer has more than \(request.maximumBytes) bytes")
        }
        switch answer {
        case .json(let token, let expiresIn):
            return try AnswerReading(tokenPointer: token, expiresInPointer: expiresIn).json(response.body)
        case .header(let name): return SourceAnswer(token: try AnswerReading.token(try field(name, of: response)))
        case .cookie(let name): return SourceAnswer(token: try AnswerReading.token(try cookie(name, of: response)))
        case .body: return SourceAnswer(token: try AnswerReading.token(response.body))
        }
    }

    private func field(_ name: String, of response: Response) throws(SourceError) -> [UInt8] {
        let found = response.fields.filter { isSame($0.name, name) }
        guard let only = found.first, found.count == 1 else {
            throw SourceError(
                .invalidVerifyChallengeResponse, "the answer has the token's field \(found.count) times instead of once"
            )
        }
        return only.value
    }

    /// The value up to the first `;`, without white space around it (RFC 6265 §5.2).
    private func cookie(_ name: String, of response: Response) throws(SourceError) -> [UInt8] {
        let wanted = Array(name.utf8)
        for field in response.fields.reversed() where isSame(field.name, "set-cookie") {
            let pair = field.value.prefix { $0 != UInt8(ascii: ";") }
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            if trimmed(pair[..<equals]).elementsEqual(wanted) { return Array(trimmed(pair[(equals + 1)...])) }
        }
        throw SourceError(.invalidVerifyChallengeResponse, "the answer does not set the token's cookie")
    }
}

private func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count
        && one.utf8.elementsEqual(other.utf8) { asciiLowercased($0) == asciiLowercased($1) }
}

private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
}
