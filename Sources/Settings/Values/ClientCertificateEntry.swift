/// A certificate that is shown to some origins as the client's own.
public struct ClientCertificateEntry: Sendable, Hashable, CustomStringConvertible {
    /// Host patterns; at least one.
    public let hosts: [String]
    /// PEM file: the certificate, then its intermediates.
    public let certificate: String
    /// PEM file with the unencrypted key; may be the same file.
    public let key: String

    /// The certificate of some hosts.
    public init(hosts: [String], certificate: String, key: String) {
        self.hosts = hosts
        self.certificate = certificate
        self.key = key
    }

    /// `shop.test=client.pem:client.key`; several hosts are parted by `|`.
    public var description: String { "\(hosts.joined(separator: "|"))=\(certificate):\(key)" }

    /// Reads that form; without `:` the key is in the certificate's file.
    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let files = parts[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard files.count <= 2 else { return nil }
        let hosts = parts[0].split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        self.init(checking: hosts, files[0], files.last ?? "")
    }

    /// Checks what was given; hosts come out in their canonical spelling.
    init?(checking hosts: [String], _ certificate: String, _ key: String) {
        let patterns = hosts.compactMap(HostText.pattern)
        guard !hosts.isEmpty, patterns.count == hosts.count, Self.isPath(certificate), Self.isPath(key) else {
            return nil
        }
        self.init(hosts: patterns, certificate: certificate, key: key)
    }

    private static func isPath(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count) && !text.utf8.contains { $0 < 0x20 || $0 == 0x7f }
    }
}
