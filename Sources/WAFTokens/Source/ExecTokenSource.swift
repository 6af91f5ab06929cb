internal import Telemetry

/// A command whose standard output is the token, or the JSON answer. Spawning is done by the closure that is handed in.
public struct ExecTokenSource: TokenSource {
    /// What is run: an argument array, no shell.
    public struct Command: Sendable {
        /// The program, looked up in `PATH`, and its arguments.
        public var arguments: [String]
        /// Added to the environment: what the command may want to know.
        public var additions: [(name: String, value: String)]
        /// The whole process group is killed then.
        public var timeout: Duration
        /// Bytes of each output that are kept.
        public var outputLimit: Int
    }

    /// How a command ended.
    public struct Ending: Sendable {
        /// Exit status; nil when a signal ended it.
        public var exitStatus: Int32?
        /// Standard output, up to the limit.
        public var output: [UInt8]
        /// Standard error, up to the limit.
        public var errors: [UInt8]
        /// Whether there was more standard output than the limit.
        public var outputIsCut: Bool
        /// Whether it was killed because its time was up.
        public var didTimeOut: Bool

        /// An ending.
        public init(
            exitStatus: Int32?, output: [UInt8], errors: [UInt8] = [], outputIsCut: Bool = false,
            didTimeOut: Bool = false
        ) {
            self.exitStatus = exitStatus
            self.output = output
            self.errors = errors
            self.outputIsCut = outputIsCut
            self.didTimeOut = didTimeOut
        }
    }

    /// Runs a command to its end. Throws `internalError` where it cannot be started.
    public typealias Spawn = @Sendable (Command) async throws(SourceError) -> Ending

    /// Bytes of output that a command may write.
    public static let outputLimit = 64 * 1024

    private let arguments: [String]
    private let limit: Duration
    private let spawn: Spawn

    /// A source that runs `arguments`, at least the program's name.
    public init(_ arguments: [String], timeout: Duration = .seconds(10), spawn: @escaping Spawn) {
        self.arguments = arguments
        limit = timeout
        self.spawn = spawn
    }

    /// The command's own, and a moment for it to be killed.
    public var timeout: Duration { limit + .milliseconds(500) }

    /// Runs the command once. What it wrote to standard error is in the error's sentence, escaped and cut.
    public func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer {
        var additions = [(name: "AWS_WAF_DOMAIN_NAME", value: request.domainName)]
        if let url = request.applicationIntegrationURL {
            additions.append((name: "AWS_WAF_APPLICATION_INTEGRATION_URL", value: url))
        }
        let ending = try await spawn(
            Command(arguments: arguments, additions: additions, timeout: limit, outputLimit: Self.outputLimit))
        if ending.didTimeOut { throw SourceError(.socketTimeoutException, "the command took too long") }
        guard ending.exitStatus == 0 else { throw SourceError(.internalError, Self.sentence(on: ending)) }
        guard !ending.outputIsCut, ending.output.count <= Self.outputLimit else {
            throw SourceError(
                .invalidVerifyChallengeResponse, "the command wrote more than \(Self.outputLimit) bytes")
        }
        return try AnswerReading.standard.tokenOrJSON(ending.output)
    }

    private static func sentence(on ending: Ending) -> String {
        let how = ending.exitStatus.map { "ended with status \($0)" } ?? "was ended by a signal"
        guard !ending.errors.isEmpty else { return "the command \(how)" }
        return "the command \(how): \(Escaper.escape(ending.errors))"
    }
}

extension ExecTokenSource {
    /// The child's environment: the parent's without `WAF_TOKEN` and the variables of this proxy and of proxies at all
    /// (a token command does not go through the proxy that waits for it), with the command's additions.
    public static func environment(
        from parent: [(name: String, value: String)], adding additions: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        let proxies = ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"]
        let kept = parent.filter { variable in
            let name = String(decoding: variable.name.utf8.map(asciiLowercased), as: UTF8.self)
            return name != "waf_token" && name != "waf_token_file" && !name.hasPrefix("waf_token_proxy_")
                && !proxies.contains(name) && !additions.contains { $0.name == variable.name }
        }
        return kept + additions
    }
}
