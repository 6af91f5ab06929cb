public import Settings
internal import TLS

extension TrustKit {
    /// Why there is no kit; prints as one sentence.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// Writes what a command on this machine needs into a private folder: no files with variables, no hashed directory,
    /// and the store for Java only where Java is told of it.
    ///
    /// Of 50 ms that it takes with 140 roots, reading them into `sources` is most: do that beside something else. The store
    /// is 3 ms of it, as it is not encrypted.
    ///
    /// - Parameter authorityPEM: what clients are to trust.
    public static func writeForCommand(
        authorityPEM: String, _ sources: TrustSources, to folder: String, java: JavaVariable
    ) throws(Failure) {
        try write(authorityPEM, sources, to: folder, java == .none ? [] : .trustStore, nil, seenAs: folder)
    }

    /// Writes a whole kit, for clients that see it as `variables.trustKit`.
    ///
    /// - Parameter environment: variables that name more files with roots.
    /// - Returns: sentences about roots that could not be read.
    public static func write(
        authorityPEM: String, to folder: String, _ variables: ClientVariables, environment: [String: String]
    ) throws(Failure) -> [String] {
        let seen = variables.trustKit ?? folder
        let sources = TrustSources(environment: environment)
        try write(authorityPEM, sources, to: folder, [.trustStore, .hashedFolder], variables, seenAs: seen)
        return sources.warnings
    }

    /// A file of the kit that is the same in every folder; nil if it is not, or the roots cannot be read. Takes tens of
    /// milliseconds.
    static func file(named name: String, authorityPEM: String) -> [UInt8]? {
        do throws(TLSError) {
            let kit = try TrustKit(
                authority: Certificate.chain(pem: authorityPEM), others: TrustSources(environment: [:]).certificates,
                parts: name == trustStore ? .trustStore : [], folder: "")
            return kit.files.first { $0.name == name && name != wgetrc }?.bytes
        } catch {
            return nil
        }
    }

    private static func write(
        _ authorityPEM: String, _ sources: TrustSources, to folder: String, _ parts: Parts,
        _ variables: ClientVariables?, seenAs seen: String
    ) throws(Failure) {
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
    }
}
