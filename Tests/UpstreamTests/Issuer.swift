import Foundation

/// An authority of openssl(1) with a root, an intermediate `middle`, one that expired, `old`, and leaves of any kind.
struct Issuer {
    private let directory = Scratch()
    var path: String { directory.path }
    var root: String { "\(path)/root.pem" }

    /// File names inside `path`.
    struct Files {
        let certificate: String
        let key: String
    }

    private static let configuration = """
        [ca]
        default_ca = this
        [this]
        database = index
        serial = serial
        new_certs_dir = .
        default_md = sha256
        policy = any
        unique_subject = no
        [any]
        commonName = optional
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = keyCertSign

        """

    init() throws {
        _ = directory.write("ca.cnf", Self.configuration)
        _ = directory.write("index", "")
        _ = directory.write("serial", "1000\n")
        try openssl("req -x509 \(Self.newKey) -days 20000 -subj", "/CN=test root", "-keyout root.key -out root.pem")
        _ = try sign("middle", subject: "/CN=test middle", by: "root", from: "20200101", until: "20450101")
        _ = try sign("old", subject: "/CN=test old", by: "root", from: "20190101", until: "20200201")
    }

    func write(_ name: String, _ text: String) { _ = directory.write(name, text) }

    /// Puts two files together.
    func join(_ first: String, _ second: String, as name: String) throws {
        let texts = try [first, second].map { try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8) }
        write(name, texts.joined())
    }

    private static let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

    /// A certificate for these alternative names (x509v3_config(5)), valid between two days.
    func leaf(
        _ names: String, by issuer: String = "root", name: String = "leaf", subject: String = "/CN=a host",
        from: String = "20200101", until: String = "20450101"
    ) throws -> Files {
        write("\(name).ext", "subjectAltName=\(names)\n")
        return try sign(name, subject: subject, by: issuer, from: from, until: until, extensions: "\(name).ext")
    }

    /// A certificate that nobody else signed.
    func selfSigned(_ names: String) throws -> Files {
        try openssl(
            "req -x509 \(Self.newKey) -days 2 -addext subjectAltName=\(names) -subj", "/CN=a host",
            "-keyout own.key -out own.pem")
        return Files(certificate: "own.pem", key: "own.key")
    }

    private func sign(
        _ name: String, subject: String, by issuer: String, from: String, until: String, extensions: String? = nil
    ) throws -> Files {
        try openssl("req \(Self.newKey) -subj", subject, "-keyout \(name).key -out \(name).csr")
        let kind = extensions.map { "-extfile \($0)" } ?? "-extensions authority"
        try openssl(
            "ca -batch -notext -config ca.cnf -cert \(issuer).pem -keyfile \(issuer).key -in \(name).csr -out \(name).pem"
                + " -startdate \(from)000000Z -enddate \(until)000000Z \(kind)")
        return Files(certificate: "\(name).pem", key: "\(name).key")
    }

    /// Runs openssl with words that are split at blanks, but for `subject`, which is one.
    private func openssl(_ before: String, _ subject: String? = nil, _ after: String = "") throws {
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        try Program.run(["openssl"] + words(before) + (subject.map { [$0] } ?? []) + words(after), in: path)
    }
}
