public import Settings
internal import TLS

extension TrustKit {
    /// Why there is no kit; prints as one sentence.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// Writes what a command on this machine needs into a private folder: no files with variables, no hashed directory,
    /// and the store for Java only where Java is told of it. That is fast: about 10 ms for 140 roots.
    ///
    /// - Parameters:
    ///   - authorityPEM: what clients are to trust.
    ///   - environment: variables that name more files with roots.
    /// - Returns: sentences about roots that could not be read.
    public static func writeForCommand(
        authorityPEM: String, to folder: String, java: JavaVariable, environment: [String: String]
    ) throws(Failure) -> [String] {
        try write(authorityPEM, to: folder, java == .none ? [] : .trustStore, nil, seenAs: folder, environment)
    }

    /// Writes a whole kit, for clients that see it as `variables.trustKit`.
    public static func write(
        authorityPEM: String, to folder: String, _ variables: ClientVariables, environment: [String: String]
    ) throws(Failure) -> [String] {
        let seen = variables.trustKit ?? folder
        let parts: Parts = [.trustStore, .hashedFolder]
        return try write(authorityPEM, to: folder, parts, variables, seenAs: seen, environment)
    }

    private static func write(
        _ authorityPEM: String, to folder: String, _ parts: Parts, _ variables: ClientVariables?, seenAs seen: String,
        _ environment: [String: String]
    ) throws(Failure) -> [String] {
        let sources = TrustSources(environment: environment)
        do {
            // wget's settings of this machine are of no use elsewhere.
            let wgetrc = variables == nil ? sources.wgetrc : ""
            var kit = try TrustKit(
                authority: Certificate.chain(pem: authorityPEM), others: sources.certificates, parts: parts,
                wgetrc: wgetrc, folder: seen)
            if let variables { try kit.add(variables) }
            try TrustKitFolder(folder).write(kit)
        } catch {
            throw Failure(description: "\(error)")
        }
        return sources.warnings
    }
}
