/// An answer that the protection gives in the application's place.
enum Interception: Sendable, Equatable {
    case challenge(html: Bool)
    case captcha(html: Bool)
    case block(status: Int, body: Rule.BlockBody)

    var status: Int {
        switch self {
        case .challenge: 202
        case .captcha: 405
        case .block(let status, _): status
        }
    }

    /// The value of `x-amzn-waf-action`; a block has none.
    var wafAction: String? {
        switch self {
        case .challenge: "challenge"
        case .captcha: "captcha"
        case .block: nil
        }
    }

    /// Media type and content; nil: an empty answer.
    var body: (type: String, content: String)? {
        switch self {
        case .challenge(let html): html ? ("text/html; charset=UTF-8", Self.challengePage) : nil
        case .captcha(let html): html ? ("text/html; charset=UTF-8", Self.captchaPage) : nil
        case .block(_, .page): ("text/html", Self.blockPage)
        case .block(_, .cognito): ("application/x-amz-json-1.1", Self.cognitoBlock)
        }
    }

    private static func page(_ title: String, _ text: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
        <body><h1>\(title)</h1><p>\(text)</p></body></html>

        """
    }

    private static let challengePage = page(
        "Challenge", "Emulated: a browser would run the challenge script here and come back with a token.")
    private static let captchaPage = page(
        "Human Verification", "Emulated: a person would solve a puzzle here and come back with a token.")
    private static let blockPage = page("403 Forbidden", "Emulated: the request was blocked.")
    private static let cognitoBlock =
        #"{"__type":"ForbiddenException","message":"Request not allowed due to WAF block."}"#
}
