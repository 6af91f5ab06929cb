internal import Settings
public import TLS

/// The files by which clients trust the proxy's authority. Pure: what they hold and what they are called.
public struct TrustKit: Sendable {
    static let authority = "ca.pem"
    static let bundle = "bundle.pem"
    static let trustStore = "truststore.p12"
    static let hashed = "certs"
    static let wgetrc = "wgetrc"
    static let readme = "README.txt"
    static let ready = "ready"
    /// Java wants one; it protects nothing.
    static let password = "changeit"

    /// What is made of the certificates.
    public struct Parts: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// The store for Java.
        public static let trustStore = Parts(rawValue: 1)
        /// The hashed directory.
        public static let hashedFolder = Parts(rawValue: 2)
    }

    /// A file and what it holds; `name` may have one folder in it.
    struct File: Equatable {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ text: String) {
            self.name = name
            bytes = Array(text.utf8)
        }

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// Without `ready`, which is written when all others are there.
    private(set) var files: [File]

    /// - Parameters:
    ///   - authority: what clients are to trust.
    ///   - others: what they trust besides: the system's roots and more. Equal ones are written once.
    ///   - wgetrc: wget's settings for the whole system, which `wgetrc` of the kit takes the place of.
    ///   - folder: where the files will be, as clients see it.
    public init(
        authority: [Certificate], others: [Certificate], parts: Parts = [.trustStore, .hashedFolder],
        wgetrc: String = "", folder: String
    ) throws(TLSError) {
        let all = try Self.unique(others + authority)
        var files = [
            File(Self.authority, try Self.pem(authority)),
            File(Self.bundle, try Self.pem(all)),
            File(Self.wgetrc, wgetrc + "ca_certificate = \(folder)/\(Self.bundle)\n"),
        ]
        if parts.contains(.trustStore) {
            files.append(File(Self.trustStore, try TrustStoreArchive.pkcs12(all, password: Self.password)))
        }
        if parts.contains(.hashedFolder) { files += try Self.hashedFiles(all) }
        self.files = files
    }

    /// Adds the files that set the variables, in the formats of shells and of Docker Compose, and a page about it all.
    public mutating func add(_ variables: ClientVariables) throws(UnwritableVariable) {
        let own = variables.own()
        files.append(File("env.sh", try VariableFormat.sh.text(own, extending: true)))
        files.append(File("env.fish", try VariableFormat.fish.text(own, extending: true)))
        files.append(File("env.ps1", try VariableFormat.powershell.text(own, extending: true)))
        files.append(File(".env", try VariableFormat.dotenv.text(own)))
        files.append(File(Self.readme, Self.page(variables)))
    }

    private static func page(_ variables: ClientVariables) -> String {
        """
        Trust kit of waf-token-proxy at http://\(variables.proxy)

        ca.pem          the proxy's authority, to add to a client's roots
        bundle.pem      the system's roots and the authority, for clients that take one file instead of their roots
        truststore.p12  the same for Java (PKCS12, password \(password))
        certs/          the same as a hashed directory (SSL_CERT_DIR, c_rehash)
        wgetrc          tells wget of bundle.pem (SYSTEM_WGETRC)
        env.sh          . env.sh          variables for sh, bash, zsh
        env.fish        source env.fish   for fish
        env.ps1         . ./env.ps1       for PowerShell
        .env            for Docker Compose (env_file) and the like
        ready           there once all others are

        The variables name this folder as \(variables.trustKit ?? "it was made"): where clients see it elsewhere, make it with
        `waf-token-proxy ca trust-kit DIR --trust-kit FOLDER-AS-CLIENTS-SEE-IT`.

        """
    }

    private static func pem(_ certificates: [Certificate]) throws(TLSError) -> String {
        var text = ""
        for certificate in certificates { text += try certificate.pem() }
        return text
    }

    private static func unique(_ certificates: [Certificate]) throws(TLSError) -> [Certificate] {
        var seen: Set<Digest> = []
        var result: [Certificate] = []
        for certificate in certificates where seen.insert(try certificate.fingerprint()).inserted {
            result.append(certificate)
        }
        return result
    }

    /// One file a certificate, called as openssl-rehash(1) calls its links: files get through every kind of mount.
    private static func hashedFiles(_ certificates: [Certificate]) throws(TLSError) -> [File] {
        var counts: [String: Int] = [:]
        var files: [File] = []
        for certificate in certificates {
            let hash = certificate.subjectHash
            let number = counts[hash, default: 0]
            counts[hash] = number + 1
            files.append(File("\(hashed)/\(hash).\(number)", try certificate.pem()))
        }
        return files
    }
}
