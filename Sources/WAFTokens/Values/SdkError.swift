/// How getting a token failed: the cases of the AWS WAF mobile SDK.
///
/// What the sources of this module mean by them is in brackets; a source of one's own may use any.
public enum SdkError: String, Error, Sendable, Hashable, CaseIterable {
    /// The challenge cannot be understood (not used by the sources here: there is no challenge to solve).
    case invalidChallenge
    /// The endpoint cannot be reached (http: no answer came).
    case errorInvokingGetChallengeEndpoint
    /// What came back is no token (not UTF-8 or JSON, nothing at the pointer, no cookie-octets, expired already).
    case invalidVerifyChallengeResponse
    /// The endpoint answered with an error (http: a status other than 2xx).
    case errorInvokingVerifyEndpoint
    /// Anything else (a command that fails, a file that cannot be read).
    case internalError
    /// No answer in time.
    case socketTimeoutException
}
