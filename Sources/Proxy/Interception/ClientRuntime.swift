/// What a client is likely to run on, told by its `User-Agent`, and what makes that trust the proxy's authority.
public struct ClientRuntime: Sendable, Hashable {
    /// For people: `Python requests`.
    public let name: String
    /// What to set, in words that can be pasted: variables and files of the trust kit.
    public let remedy: String

    /// All that are told apart.
    public static var all: [ClientRuntime] { known.map { ClientRuntime(name: $0.name, remedy: $0.remedy) } }

    /// The likely runtime; one that says what most read where nothing is known.
    static func guess(userAgent: String) -> ClientRuntime {
        let text = userAgent.lowercased()
        for row in known where row.signs.contains(where: { text.contains($0) }) {
            return ClientRuntime(name: row.name, remedy: row.remedy)
        }
        return ClientRuntime(name: "unknown", remedy: "SSL_CERT_FILE=bundle.pem, or what its documentation says")
    }

    /// In order: the first row with a sign that occurs counts. Libraries stand before the runtimes they run on.
    private static let known: [(signs: [String], name: String, remedy: String)] = [
        (["python-requests", "botocore"], "Python requests", "REQUESTS_CA_BUNDLE=bundle.pem"),
        (["aws-cli", "boto3"], "AWS CLI", "AWS_CA_BUNDLE=bundle.pem"),
        (["pip/"], "pip", "PIP_CERT=bundle.pem"),
        (["python-httpx", "aiohttp", "python-urllib", "python/"], "Python", "SSL_CERT_FILE=bundle.pem"),
        (["git/"], "git", "GIT_SSL_CAINFO=bundle.pem"),
        (["curl/"], "curl", "CURL_CA_BUNDLE=bundle.pem"),
        (["wget/"], "wget", "ca_certificate=bundle.pem in the file that WGETRC names, or --ca-certificate"),
        (["npm/", "yarn/", "pnpm/"], "npm", "npm_config_cafile=bundle.pem"),
        (["deno/"], "Deno", "DENO_CERT=ca.pem"),
        (["node", "axios/", "undici", "got "], "Node.js", "NODE_EXTRA_CA_CERTS=ca.pem"),
        (
            ["java", "okhttp", "apache-httpclient", "jetty"], "Java",
            "JAVA_TOOL_OPTIONS='-Djavax.net.ssl.trustStore=truststore.p12 -Djavax.net.ssl.trustStorePassword=changeit'"
        ),
        (["go-http-client", "k6/"], "Go", "SSL_CERT_FILE=bundle.pem"),
        (["ruby", "faraday"], "Ruby", "SSL_CERT_FILE=bundle.pem"),
        (["libwww-perl", "lwp"], "Perl LWP", "PERL_LWP_SSL_CA_FILE=bundle.pem"),
        (["cargo/", "cargo "], "Cargo", "CARGO_HTTP_CAINFO=bundle.pem"),
        (
            ["mozilla/", "chrome/", "firefox/"], "a browser",
            "certutil -A -n waf-token-proxy -t C,, -i ca.pem -d sql:$HOME/.pki/nssdb, or import ca.pem in its settings"
        ),
        (["grpc"], "gRPC", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=bundle.pem"),
        (["dotnet", ".net"], ".NET", "SSL_CERT_FILE=bundle.pem"),
    ]
}
