internal import TLS
internal import WAFTokens

/// The authority that signs for intercepted hosts, with where it came from.
public struct OpenedAuthority: Sendable {
    /// Where it is.
    public enum Place: Sendable, Equatable {
        /// In memory: it ends with the process.
        case memory
        /// In this file of ours.
        case file(String)
        /// In this file that the settings name.
        case provided(String)
    }

    /// What was done for it.
    public enum Event: Sendable, Equatable {
        /// It was there.
        case kept
        /// There was none.
        case created
        /// The one that was there had ended, or soon would have: clients have to trust the new one.
        case renewed
    }

    /// Where it is.
    public let place: Place
    /// What was done for it.
    public let event: Event
    /// Sentences for the log.
    public let warnings: [String]
    /// What clients have to trust, in PEM.
    public var trustAnchorPEM: String { authority.trustAnchorPEM }
    /// When it ends, in seconds since 1970.
    public var notAfter: Int { authority.notAfter }

    let authority: InterceptionAuthority
    /// What one of ours was made for; nil: any name, or a provided one.
    let constraints: NameConstraints?

    /// The first of these hosts for which it may not sign; nil where there is none.
    func refused(among hosts: [HostPattern]) -> HostPattern? {
        hosts.first { host in
            if let constraints {
                guard let wanted = try? NameConstraints([host]) else { return true }
                return !constraints.permits(all: wanted)
            }
            // A provided one may have constraints of its own: what they permit is tried with an example.
            return (try? authority.permits(host.isWildcard ? "www.\(host.host)" : host.host)) != true
        }
    }
}
