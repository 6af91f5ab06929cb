internal import Admin
internal import EventLoop
internal import ProxyKit
internal import Settings
internal import Telemetry

/// A running proxy to ask, for as long as a command runs.
struct AdminSession {
    let client: AdminClient

    /// Does `body` with a client of the proxy that `target` names. A proxy that does not answer is said in one line.
    static func with(_ target: AdminTarget, _ body: (AdminClient) async throws(AdminClient.Fault) -> ExitCode) async
        -> ExitCode
    {
        let loop: EventLoop
        do throws(SystemError) { loop = try EventLoop(name: "client") } catch {
            Terminal.complain("cannot start an event loop: \(error)")
            return .internal
        }
        SignalWatcher.ignoreBrokenPipes()
        loop.start()
        defer { loop.stop() }
        let given = target.token.map { Redacted(Array($0.reveal().utf8)) }
        // A proxy that is reached by a name is another machine's, and left no file here.
        let left: Redacted<[UInt8]>?
        let asked: AdminClient.Target
        switch target.listener {
        case .unix(let path):
            (asked, left) = (.unix(path: path), AdminTokenFile.read(for: .unix(path: path)))
        case .tcp(let host, let port):
            asked = .tcp(host: host, port: port)
            left = SocketAddress(ip: host, port: port).flatMap { AdminTokenFile.read(for: .ip($0)) }
        }
        let client = AdminClient(asked, token: given ?? left, on: loop)
        do throws(AdminClient.Fault) {
            return try await body(client)
        } catch {
            Terminal.complain(error.description)
            return .unavailable
        }
    }
}

extension AdminClient.Answer {
    /// What the proxy says of a call that it refused.
    var complaint: String {
        if status == 401 { return "the proxy wants its admin token; run this as its user, or give --admin-token-file" }
        let message = Escaper.escape(document["message"].text ?? "status \(status)", limit: 500)
        return document["error"].text.map { "\(Escaper.escape($0)): \(message)" } ?? message
    }
}
