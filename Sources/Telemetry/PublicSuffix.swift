/// Names below which strangers can register, as far as the table here goes: the top-level domains that people use, and
/// the best known suffixes of two labels. Not the whole public suffix list (publicsuffix.org).
///
/// It stands here because the settings and the token provider both need it and neither knows the other.
public enum PublicSuffix {
    /// Whether `name` (lower case, no trailing dot) is one. Names of services in a rig, such as `shop`, are not.
    public static func contains(_ name: String) -> Bool {
        topLevel.contains(name) || isCountry(name) || second.contains(name) || isUnderCountry(name)
    }

    private static func isCountry(_ name: String) -> Bool {
        name.utf8.count == 2 && name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// `co.uk`, `gov.au` and their like.
    private static func isUnderCountry(_ name: String) -> Bool {
        let labels = name.split(separator: ".")
        guard labels.count == 2, countries.contains(String(labels[1])) else { return false }
        return categories.contains(String(labels[0]))
    }

    private static let categories: Set<String> = [
        "ac", "co", "com", "edu", "go", "gob", "gov", "ltd", "me", "mil", "ne", "net", "nhs", "nom", "or", "org", "plc",
        "sch",
    ]

    /// Countries whose names are registered below such categories.
    private static let countries: Set<String> = [
        "ar", "au", "bd", "br", "cn", "co", "cy", "eg", "hk", "id", "il", "in", "jp", "ke", "kr", "mx", "my", "ng",
        "nz", "pe", "ph", "pk", "sa", "sg", "th", "tr", "tw", "ua", "ug", "uk", "uy", "ve", "vn", "za", "zw",
    ]

    /// Not those that are plausible names of a service in a rig, such as `app` and `shop`.
    private static let topLevel: Set<String> = [
        "aero", "arpa", "biz", "com", "coop", "edu", "gov", "info", "int", "mil", "mobi", "museum", "net", "org", "xyz",
    ]

    private static let second: Set<String> = [
        "amplifyapp.com", "azurewebsites.net", "cloudfront.net", "elb.amazonaws.com", "firebaseapp.com", "fly.dev",
        "github.io", "gitlab.io", "herokuapp.com", "netlify.app", "onrender.com", "pages.dev", "s3.amazonaws.com",
        "vercel.app", "web.app", "workers.dev",
    ]
}
