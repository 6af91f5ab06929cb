/// What an `http` URL looks like in a configuration, and how it is shown.
enum URLText {
    /// Whether `text` is an absolute `http` or `https` URL with a host, without user, password or fragment.
    static func isValid(_ text: String) -> Bool {
        guard let schemeEnd = text.firstRange(of: "://") else { return false }
        let scheme = HostText.lowercased(String(text[..<schemeEnd.lowerBound]))
        guard scheme == "http" || scheme == "https",
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !text.utf8.contains(UInt8(ascii: "#"))
        else { return false }
        let authority = text[schemeEnd.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let (host, port) = HostText.split(String(authority)), HostText.host(host) != nil else { return false }
        guard let port else { return true }
        return UInt16(decimal: port).map { $0 > 0 } ?? false
    }

    /// The URL without what may be a secret in it: user, password, query and fragment.
    static func masked(_ text: String) -> String {
        let end = text.firstIndex { $0 == "?" || $0 == "#" }
        var shown = String(text[..<(end ?? text.endIndex)])
        if let at = shown.lastIndex(of: "@") {
            let start = shown.firstRange(of: "://")?.upperBound ?? shown.startIndex
            if start <= at { shown.replaceSubrange(start..<at, with: "<redacted>") }
        }
        return end == nil ? shown : shown + "?<redacted>"
    }
}
