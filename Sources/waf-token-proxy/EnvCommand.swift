internal import Admin
internal import EventLoop
internal import Glibc
internal import ProxyKit
internal import Settings
internal import Telemetry

/// `waf-token-proxy env`: the variables for clients of a proxy that runs elsewhere.
enum EnvCommand {
    static func run(_ setup: ClientSetupSettings, listen: [ListenAddress], _ target: AdminTarget?) async -> ExitCode {
        guard let target else {
            return ClientAddress.of(setup, listen: listen).map { write($0, setup) } ?? .usage
        }
        return await AdminSession.with(target) { client throws(AdminClient.Fault) in
            let answer = try await client.get("/v1/status")
            guard let text = answer.document["listen"].elements.first?.text, let address = ListenAddress(text),
                let proxy = ClientAddress.reachable(address)
            else {
                Terminal.complain(answer.complaint)
                return .failure
            }
            return write(proxy, setup)
        }
    }

    private static func write(_ proxy: String, _ setup: ClientSetupSettings) -> ExitCode {
        let client = ClientVariables(
            proxy: proxy, trustKit: setup.trustKit.map(AbsolutePath.of), noProxy: setup.noProxy, java: setup.java)
        do throws(UnwritableVariable) {
            let text = try setup.format.text(client.merged(over: ProcessEnvironment.current()))
            Terminal.write(text, to: STDOUT_FILENO)
            return .success
        } catch {
            Terminal.complain(error.description)
            return .failure
        }
    }
}

/// A path that means the same in every folder.
enum AbsolutePath {
    /// Paths with a drive letter, for clients elsewhere, stay.
    static func of(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if path.hasPrefix("/") || path.dropFirst().hasPrefix(":") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        while path.hasPrefix("./") { path.removeFirst(2) }
        return path == "." ? String(cString: folder) : "\(String(cString: folder))/\(path)"
    }
}
