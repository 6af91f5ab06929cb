/// Where a provider's tokens come from. One fetch is one question; retries, budget and time-out are the provider's.
///
/// Called from tasks of the provider, on its executor. A fetch ends early when its task is cancelled; one that does not
/// is left behind and its answer ignored.
public protocol TokenSource: Sendable {
    /// Gets a token.
    func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer

    /// How long a token of this source is good where neither the configuration nor the answer says; nil: no end.
    var defaultImmunity: Duration? { get }

    /// How long one fetch may take; the provider gives up on it then.
    var timeout: Duration { get }

    /// How often `hasChanged` is worth asking while the provider is active; nil: never.
    var checkInterval: Duration? { get }

    /// Whether a fetch would see something other than the last one did. Quick and not blocking for long.
    func hasChanged() -> Bool

    /// Calls `onChange`, on any thread, whenever `hasChanged` became true, until the returned closure is called. Nil
    /// where the source notices nothing by itself.
    func observe(_ onChange: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?
}

extension TokenSource {
    /// 300 s, AWS WAF's default immunity time.
    public var defaultImmunity: Duration? { .seconds(300) }
    /// 10 s.
    public var timeout: Duration { .seconds(10) }
    /// Never.
    public var checkInterval: Duration? { nil }
    /// Never.
    public func hasChanged() -> Bool { false }
    /// Notices nothing.
    public func observe(_ onChange: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? { nil }
}

/// What a source is told with each fetch.
public struct SourceRequest: Sendable {
    /// The setting of that name, as it was given.
    public var applicationIntegrationURL: String?
    /// The domain that the token is for.
    public var domainName: String

    /// A request.
    public init(applicationIntegrationURL: String? = nil, domainName: String) {
        self.applicationIntegrationURL = applicationIntegrationURL
        self.domainName = domainName
    }
}

/// What a source gives.
public struct SourceAnswer: Sendable {
    /// The token.
    public var token: WAFToken
    /// How long it is good after its acquisition; nil: as configured, or the source's default.
    public var expiresIn: Duration?
    /// Acquisition time on the wall clock where the source knows it (a file's modification time); nil: the start of the
    /// fetch.
    public var acquiredAt: Duration?

    /// An answer.
    public init(token: WAFToken, expiresIn: Duration? = nil, acquiredAt: Duration? = nil) {
        self.token = token
        self.expiresIn = expiresIn
        self.acquiredAt = acquiredAt
    }
}
