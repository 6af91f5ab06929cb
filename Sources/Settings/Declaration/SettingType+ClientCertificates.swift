import Telemetry

extension SettingType where Value == ClientCertificateEntry {
    /// In the file a mapping `{hosts, certificate, key}`; in flags and variables, and there too, one text.
    static var clientCertificate: SettingType {
        SettingType(
            allowed:
                "HOST=CERTIFICATE:KEY with PEM files (in the file also {hosts: [...], certificate: FILE, key: FILE})",
            placeholder: "HOST=CERTIFICATE:KEY",
            examples: [
                "shop.test=client.pem:client.key", "*.a.test|b.test:8443=/run/c.pem:/run/c.key", "[::1]:*=both.pem",
            ]
        ) { node, problems in
            switch node.content {
            case .scalar(let text):
                if let entry = ClientCertificateEntry(text) { return entry }
            case .mapping(let entries):
                if let entry = read(entries) { return entry }
            case .null, .list: break
            }
            problems.append(ValueProblem(value: node.shown, line: node.line))
            return nil
        } show: {
            Escaper.escape("\($0)", limit: 4096)
        }
    }

    private static func read(_ entries: [Node.Entry]) -> ClientCertificateEntry? {
        var hosts: [String] = []
        var files: [String: String] = [:]
        for entry in entries {
            switch (entry.key, entry.value.content) {
            case ("hosts", .scalar(let host)): hosts = [host]
            case ("hosts", .list(let nodes)):
                hosts = nodes.map { if case .scalar(let host) = $0.content { host } else { "" } }
            case ("certificate", .scalar(let file)), ("key", .scalar(let file)): files[entry.key] = file
            default: return nil
            }
        }
        guard let certificate = files["certificate"] else { return nil }
        return ClientCertificateEntry(checking: hosts, certificate, files["key"] ?? certificate)
    }
}
