internal import HTTP

/// The files of the web page. They hold nothing secret: what the page shows, it asks the API for.
enum PageFile: Sendable, Equatable {
    case html
    case css
    case script

    /// By the path of a request, without its first slash.
    init?(path: String) {
        switch path {
        case "": self = .html
        case "page.css": self = .css
        case "page.js": self = .script
        default: return nil
        }
    }

    var answer: AdminAnswer {
        var answer =
            switch self {
            case .html: AdminAnswer(PackageResources.page_html, type: "text/html; charset=utf-8")
            case .css: AdminAnswer(PackageResources.page_css, type: "text/css; charset=utf-8")
            case .script: AdminAnswer(PackageResources.page_js, type: "text/javascript; charset=utf-8")
            }
        answer.extraFields = Self.protection
        return answer
    }

    /// Nothing from elsewhere runs in the page or is asked by it, and nobody else's page shows or reads it.
    private static let protection: [(name: StaticString, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
        ),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
