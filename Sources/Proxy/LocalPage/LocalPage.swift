internal import HTTP

/// What clients of the proxy find under a name that it answers itself: how to set them up, and the authority to trust.
/// Holds no secret and says nothing of other clients.
public struct LocalPage: Sendable {
    /// Answered on port 80 and never asked elsewhere.
    public static let host = "waf-token-proxy.local"

    /// One file.
    struct File: Sendable {
        let type: StaticString
        let bytes: [UInt8]
        /// The name under which it is saved; nil: it is shown.
        var saveAs: StaticString?
    }

    private let html: File
    private let authority: File?

    private static let css = File(type: "text/css; charset=utf-8", bytes: PackageResources.local_css)

    /// `authority`: the certificate that clients have to trust, as PEM; nil where nothing is intercepted.
    public init(authority: [UInt8]? = nil) {
        self.authority = authority.map {
            File(type: "application/x-pem-file", bytes: $0, saveAs: "attachment; filename=\"waf-token-proxy-ca.pem\"")
        }
        let content = authority == nil ? Self.withoutAuthority : Self.withAuthority
        let text = String(decoding: PackageResources.local_html, as: UTF8.self).replacing("@CONTENT@", with: content)
        html = File(type: "text/html; charset=utf-8", bytes: Array(text.utf8))
    }

    /// Nil for a path that there is not.
    func file(_ path: Span<UInt8>) -> File? {
        if path.equals("/") { return html }
        if path.equals("/page.css") { return Self.css }
        return path.equals("/ca.pem") ? authority : nil
    }

    /// How long an authority is that can be this page's: a quick look for all the others.
    static let lengths = host.utf8.count...(host.utf8.count + 3)

    /// Whether an authority, as a client wrote it, is this page's.
    static func isMeant(by authority: Span<UInt8>) -> Bool {
        authority.equalsIgnoringCase("waf-token-proxy.local")
            || authority.equalsIgnoringCase("waf-token-proxy.local:80")
    }

    private static let withoutAuthority = """
        <p>No host is intercepted: <code>https://</code> requests pass through unread, and there is no certificate to
        trust.</p>
        """

    private static var withAuthority: String {
        let rows = ClientRuntime.all.map { "<dt>\(escaped($0.name))</dt><dd><code>\(escaped($0.remedy))</code></dd>" }
        return """
            <h2>Trust the proxy</h2>
            <p>Requests to the hosts that this proxy was set up for are read on the way, so your client has to trust its
            certificate authority: <a href="/ca.pem">download ca.pem</a>. In a shell that uses the proxy:</p>
            <code>curl -O http://waf-token-proxy.local/ca.pem
            cat /etc/ssl/certs/ca-certificates.crt ca.pem &gt; bundle.pem</code>
            <h2>By what your client runs on</h2>
            <dl>\(rows.joined(separator: "\n"))</dl>
            """
    }

    /// For text between tags.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
