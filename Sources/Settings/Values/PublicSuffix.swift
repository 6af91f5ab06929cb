/// Names under which anybody can register, so that a token for one would be for strangers' hosts too.
///
/// Not the whole public suffix list: every name of one label except `localhost`, and the well-known ones of two.
enum PublicSuffix {
    private static let known: Set<String> = [
        "co.uk", "org.uk", "ac.uk", "gov.uk", "com.au", "net.au", "co.nz", "co.jp", "ne.jp", "co.kr", "com.br",
        "com.cn",
        "com.mx", "com.tr", "co.in", "co.za", "github.io", "gitlab.io", "cloudfront.net", "herokuapp.com",
        "netlify.app",
        "vercel.app", "web.app", "azurewebsites.net", "s3.amazonaws.com", "elb.amazonaws.com",
    ]

    static func contains(_ name: String) -> Bool {
        guard IPAddress(name) == nil, name != "localhost" else { return false }
        return !name.utf8.contains(UInt8(ascii: ".")) || known.contains(name)
    }
}
