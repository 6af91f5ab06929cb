/// The system properties by which Java finds the proxy and trusts its authority.
///
/// Both `JAVA_TOOL_OPTIONS` and `JDK_JAVA_OPTIONS` are split at blanks outside of quotes, and of an option that is given
/// twice the last one counts.
struct JavaOptions {
    /// `HOST:PORT`, IPv6 in brackets.
    let proxy: String
    let bypass: BypassList
    let trustKit: String?

    var text: String {
        let colon = proxy.lastIndex(of: ":") ?? proxy.endIndex
        let (host, port) = (proxy[..<colon], proxy[colon...].dropFirst())
        var options = ["http", "https"].flatMap { scheme in
            ["-D\(scheme).proxyHost=\(host)", "-D\(scheme).proxyPort=\(port)"]
        }
        if !bypass.isEmpty { options.append("-Dhttp.nonProxyHosts=\(bypass.javaText)") }
        if let trustKit {
            options += [
                "-Djavax.net.ssl.trustStore=\(trustKit)/\(TrustKit.trustStore)",
                "-Djavax.net.ssl.trustStoreType=PKCS12",
                "-Djavax.net.ssl.trustStorePassword=\(TrustKit.password)",
            ]
        }
        return options.map(Self.quoted).joined(separator: " ")
    }

    /// A quote ends at the next one of its kind; there are no escapes.
    private static func quoted(_ option: String) -> String {
        guard option.utf8.contains(where: { $0 == 0x20 || $0 == 0x22 || $0 == 0x27 || $0 == 0x09 }) else {
            return option
        }
        return option.utf8.contains(UInt8(ascii: "\"")) ? "'\(option)'" : "\"\(option)\""
    }
}
