internal import Telemetry

/// What `domainName` may be.
enum DomainName {
    /// What would be allowed, where `name` is not; nil when it is.
    static func fault(of name: String) -> String? {
        guard HostPattern.isHost(name) else { return "a host name" }
        let name = HostPattern.canonicalHost(name)
        return PublicSuffix.contains(name) ? "a host name that is not a public suffix" : nil
    }
}
