internal import Admin
internal import EventLoop
internal import Glibc
internal import Settings
internal import Telemetry

/// `waf-token-proxy token status|get|refresh|load|expire`
struct TokenCommand {
    private let verb: TokenVerb
    private let settings: ClientSettings

    init(_ verb: TokenVerb, _ settings: ClientSettings) {
        self.verb = verb
        self.settings = settings
    }

    /// A refresh waits as long as the provider lets requests wait: `whenNoToken.holdMsec`, at most ten minutes.
    private static let refreshLimit = Duration.seconds(630)

    func run(_ target: AdminTarget) async -> ExitCode {
        await AdminSession.with(target) { client throws(AdminClient.Fault) in
            let status = try await client.get("/v1/status")
            guard status.isGood else { return refuse(status) }
            let providers = status.document["providers"].elements
            if verb == .status { return show(providers) }
            guard let provider = choose(among: providers.compactMap { $0["name"].text }) else { return .failure }
            return try await act(client, on: provider)
        }
    }

    private func act(_ client: AdminClient, on provider: String) async throws(AdminClient.Fault) -> ExitCode {
        let answer: AdminClient.Answer
        switch verb {
        case .status, .get:
            answer = try await client.get(
                AdminClient.path(of: provider, settings.reveal ? "token?reveal=1" : "token"))
        case .refresh:
            answer = try await client.post(AdminClient.path(of: provider, "refresh"), within: Self.refreshLimit)
        case .expire:
            answer = try await client.post(AdminClient.path(of: provider, "expire"))
        case .load:
            guard let token = readToken() else { return .failure }
            answer = try await client.load(token, expiresInSec: settings.expiresInSec, into: provider)
        }
        guard answer.isGood else { return refuse(answer) }
        if verb == .get, settings.reveal {
            guard let value = answer.document["value"].text else {
                Terminal.complain("\(provider) has no good token (\(answer.document["state"].text ?? ""))")
                return .failure
            }
            Terminal.say(value)
            return .success
        }
        Terminal.say(TokenLine.text(for: answer.document))
        return verb == .get && answer.document["token"]["fingerprint"].text == nil ? .failure : .success
    }

    private func show(_ providers: [AdminDocument]) -> ExitCode {
        let chosen = providers.filter { settings.provider == nil || $0["name"].text == settings.provider }
        if let provider = settings.provider, chosen.isEmpty {
            Terminal.complain("no provider is called \(provider)")
            return .failure
        }
        if chosen.isEmpty { Terminal.complain("the proxy has no provider") }
        for provider in chosen { Terminal.say(TokenLine.text(for: provider)) }
        return .success
    }

    private func choose(among names: [String]) -> String? {
        if let provider = settings.provider { return provider }
        if names.count == 1 { return names[0] }
        Terminal.complain(
            names.isEmpty
                ? "the proxy has no provider"
                : "the proxy has several providers; name one with --provider: \(names.joined(separator: ", "))")
        return nil
    }

    private func refuse(_ answer: AdminClient.Answer) -> ExitCode {
        Terminal.complain(answer.complaint)
        return .failure
    }

    /// The token without one line end, from the file or standard input; never from the arguments, which others see.
    private func readToken() -> Redacted<[UInt8]>? {
        let name = settings.tokenFile ?? "standard input"
        let descriptor = settings.tokenFile.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
        defer { if settings.tokenFile != nil, descriptor >= 0 { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= buffer.count {
            let count = descriptor < 0 ? -1 : read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR, descriptor >= 0 { continue }
            if count < 0 {
                Terminal.complain("\(name) cannot be read: \(SystemError(errno: errno, in: "read"))")
                return nil
            }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return Redacted(bytes)
    }
}

/// A provider's token in one line.
enum TokenLine {
    /// `shop fresh token=3f9a1c02 age=12s expires_in=288s next_refresh=76s`
    static func text(for provider: AdminDocument) -> String {
        var words = [provider["name"].text ?? "?", provider["state"].text ?? "?"]
        let token = provider["token"]
        words.append("token=\(token["fingerprint"].text ?? "none")")
        if let age = token["ageSec"].number { words.append("age=\(seconds(age))") }
        if let rest = token["expiresInSec"].number { words.append("expires_in=\(seconds(rest))") }
        if let next = provider["nextRefreshSec"].number { words.append("next_refresh=\(seconds(next))") }
        if let error = provider["lastFetch"]["error"].text { words.append("error=\"\(Escaper.escape(error))\"") }
        return words.joined(separator: " ")
    }

    private static func seconds(_ number: Double) -> String { "\(Int(number.rounded()))s" }
}
