import Telemetry

extension SettingType where Value == String {
    /// A user name for Basic credentials (RFC 7617 §2): no colon.
    static var parentUser: SettingType {
        .string("a user name without a colon", placeholder: "USER", examples: ["rig", "team-a", "x y"]) {
            !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: ":"))
        }
    }
}

extension SettingType where Value == Redacted<String>? {
    static var parentPassword: SettingType {
        secret("1 to 1024 bytes without control characters", limit: 1024, examples: ["s3cret", "p:a@ss", "%41"]) {
            $0 >= 0x20 && $0 != 0x7f
        }
    }
}

extension SettingType where Value == ParentProxy {
    /// A parent proxy's URL. What is shown, and what is said of a refused one, leaves the credentials out.
    static var parentProxy: SettingType {
        .text(
            "an http, https, socks5 or socks5h URL with host and port, nothing behind them", placeholder: "URL",
            examples: ["http://10.0.0.1:3128", "https://proxy.test:443", "socks5://[::1]:1080"]
        ) {
            $0.shown
        } read: {
            ParentProxy($0)
        }
        .masking(URLText.masked)
    }
}
