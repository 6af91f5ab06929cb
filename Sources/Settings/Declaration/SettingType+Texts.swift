import Telemetry

extension SettingType where Value == String {
    /// A text that `accepts` takes, up to 4096 bytes without control characters.
    static func string(
        _ allowed: String, placeholder: String, examples: [String],
        accepts: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
    ) -> SettingType {
        .text(allowed, placeholder: placeholder, examples: examples) {
            Escaper.escape($0)
        } read: { text in
            let isClean = text.utf8.count <= 4096 && !text.utf8.contains { $0 < 0x20 || $0 == 0x7f }
            return isClean && accepts(text) ? text : nil
        }
    }

    static func oneOf(_ words: [String]) -> SettingType {
        .string("one of " + words.joined(separator: ", "), placeholder: words.joined(separator: "|"), examples: words) {
            words.contains($0)
        }
    }

    static var filePath: SettingType {
        .string("the path of a file", placeholder: "FILE", examples: ["/run/first", "second", "./third"])
    }

    static var directoryPath: SettingType {
        .string("the path of a directory", placeholder: "DIR", examples: ["/var/lib/ca", "ca", "./other"])
    }

    static var url: SettingType {
        SettingType.string(
            "an http or https URL with a host, without user, password and fragment", placeholder: "URL",
            examples: ["http://issuer/token", "https://issuer.test:9000/token", "http://[::1]:9000/"],
            accepts: URLText.isValid
        )
        .masking(URLText.masked)
        .showing(URLText.masked)
    }

    static var hostName: SettingType {
        .text(
            "a host name or IP address", placeholder: "NAME", examples: ["shop.test", "example.com", "localhost"]
        ) {
            $0
        } read: {
            HostText.host(HostText.withoutBrackets($0))
        }
    }

    static var hostPattern: SettingType {
        .text(
            "a host name, *. before a name, or an IP address (IPv6 in brackets), with :PORT or :* behind it if need be",
            placeholder: "HOST", examples: ["shop.test", "*.api.shop.test:8443", "[::1]:*"]
        ) {
            $0
        } read: { text throws(ValueProblem) in
            if text.contains("://") || text.contains("/") {
                throw ValueProblem(value: text, allowed: "a host alone, without scheme and path")
            }
            guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw ValueProblem(value: text, allowed: "a host name in its ASCII spelling (xn--...)")
            }
            return HostText.pattern(text)
        }
    }

    /// A host with its port (RFC 3986 §3.2), without user and password.
    static var authority: SettingType {
        .text(
            "a host name or IP address (IPv6 in brackets) with :PORT", placeholder: "HOST:PORT",
            examples: ["proxy:8080", "127.0.0.1:8080", "[::1]:3128"]
        ) {
            $0
        } read: { text in
            HostText.authority(text).map { HostText.joined($0.host, $0.port) }
        }
    }

    /// Where a value stands in a JSON document (RFC 6901).
    static var jsonPointer: SettingType {
        .string("a JSON pointer, such as /token", placeholder: "POINTER", examples: ["/token", "/a/0/b", "/x~1y"]) {
            $0.hasPrefix("/")
        }
    }

    static var cookiePath: SettingType {
        .string("a path that starts with /", placeholder: "PATH", examples: ["/", "/web/login", "/api"]) { text in
            text.hasPrefix("/") && !text.utf8.contains { $0 <= 0x20 || $0 >= 0x7f || $0 == UInt8(ascii: ";") }
        }
    }

    /// A field or cookie name (RFC 9110 §5.6.2).
    static var token: SettingType {
        .string(
            "a name of letters, digits and !#$%&'*+-.^_`|~", placeholder: "NAME", examples: ["x-token", "tok", "T"]
        ) {
            FieldText.isToken($0)
        }
    }

    func showing(_ show: @escaping @Sendable (Value) -> String) -> SettingType {
        var type = self
        type.show = show
        return type
    }
}
