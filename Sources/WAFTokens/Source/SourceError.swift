/// Why a fetch gave no token. Equal by code.
public struct SourceError: Error, Sendable, CustomStringConvertible {
    /// The SDK's case.
    public let code: SdkError
    /// One sentence for a person, without the token; text from outside in it is escaped and cut.
    public let detail: String

    /// What a request that waited is told.
    let reason: ReasonCode

    /// An error with its sentence.
    public init(_ code: SdkError, _ detail: String) {
        self.init(code, detail, reason: code == .socketTimeoutException ? .sourceTimeout : .sourceFailed)
    }

    init(_ code: SdkError, _ detail: String, reason: ReasonCode) {
        self.code = code
        self.detail = detail
        self.reason = reason
    }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(detail)" }
}

extension SourceError: Equatable {
    /// Whether the codes are the same; the sentences may differ.
    public static func == (one: SourceError, other: SourceError) -> Bool {
        one.code == other.code
    }
}
