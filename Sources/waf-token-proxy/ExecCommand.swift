internal import EventLoop
internal import Glibc
internal import ProxyKit
internal import Settings
internal import Telemetry

/// `waf-token-proxy exec`: the proxy for as long as one command runs.
enum ExecCommand {
    /// The status to end with: the command's own; 127 and 126 if it cannot be run, as a shell has it.
    static func run(
        _ settings: EffectiveSettings, _ setup: ClientSetupSettings, _ program: [String], warnings: [String]
    ) async -> Int32 {
        let log = Log(settings.log, descriptor: STDERR_FILENO)
        for warning in warnings { log.logger.warning("configuration", [("detail", .sentence(warning))]) }
        defer { log.flush() }
        do {
            let runner = try CommandRunner()
            try await runner.takeSignals()
            let folder = try TemporaryFolder()
            defer { folder.removeAll() }
            let parent = ProcessEnvironment.current()
            async let sources = settings.providers.isEmpty ? nil : TrustSources(environment: parent)
            let proxy = try await RunningProxy(ownSettings(settings), logger: log.logger)
            let client = try trust(proxy, await sources, folder, setup)
            let status = await run(program, runner, environment(parent, client, settings))
            await proxy.stop()
            log.flush()  // our verdict is the last line
            return status == 0 && setup.failOnUnresolvedChallenge ? verdict(on: proxy.unresolvedChallenges) : status
        } catch let failure as RunningProxy.Failure {
            log.flush()
            Terminal.complain(failure.description)
            if case .settings = failure { return ExitCode.usage.rawValue }
            return ExitCode.unavailable.rawValue
        } catch {
            // No folder, no room for the trust kit, no descriptors: the command was not run.
            log.flush()
            Terminal.complain("\(error)")
            return ExitCode.failure.rawValue
        }
    }

    /// Nobody else uses this proxy, and nobody waits for an answer once the command is over.
    private static func ownSettings(_ settings: EffectiveSettings) -> EffectiveSettings {
        var settings = settings
        settings.listen = [.tcp(host: "127.0.0.1", port: 0)]
        settings.admin.listen = nil
        settings.limits.drainSec = 0
        if settings.intercept.caCertificate == nil { settings.intercept.ephemeralCA = true }
        return settings
    }

    /// Writes the trust kit, where anything is intercepted, and says how clients are told.
    private static func trust(
        _ proxy: RunningProxy, _ sources: TrustSources?, _ folder: TemporaryFolder, _ setup: ClientSetupSettings
    ) throws(TrustKit.Failure) -> ClientVariables {
        var client = ClientVariables(
            proxy: "\(proxy.addresses[0])", trustKit: nil, noProxy: setup.noProxy, java: setup.java)
        guard let pem = proxy.trustAnchorPEM, let sources else { return client }
        try TrustKit.writeForCommand(authorityPEM: pem, sources, to: folder.path, java: setup.java)
        for warning in sources.warnings { Terminal.complain("warning: \(warning)") }
        client.trustKit = folder.path
        return client
    }

    private static func environment(
        _ parent: [String: String], _ client: ClientVariables, _ settings: EffectiveSettings
    ) -> [String: String] {
        let upstream = settings.upstream
        let environment = ChildEnvironment(
            from: parent, adding: client, hosts: settings.providers.flatMap(\.hosts),
            hasParentProxy: upstream.parentProxy != nil || upstream.parentFromEnvironment)
        for warning in environment.warnings { Terminal.complain("warning: \(warning)") }
        return environment.variables
    }

    private static func run(_ program: [String], _ runner: CommandRunner, _ environment: [String: String]) async
        -> Int32
    {
        do throws(SystemError) {
            switch try await runner.run(program, environment) {
            case .exited(let status): return status
            case .signalled(let signal): return 128 + signal
            }
        } catch {
            Terminal.complain("cannot run \(Escaper.escape(error.description, limit: 500))")
            return error.number == ENOENT ? 127 : 126
        }
    }

    /// Says on standard error which challenges stayed, if any did.
    private static func verdict(on unresolved: [(reason: String, count: UInt64)]) -> Int32 {
        guard !unresolved.isEmpty else { return ExitCode.success.rawValue }
        let count = unresolved.reduce(0) { $0 + $1.count }
        let reasons = unresolved.map { "\($0.count) \($0.reason)" }.joined(separator: ", ")
        Terminal.complain(
            "\(count) \(count == 1 ? "challenge" : "challenges") stayed unresolved: \(reasons)")
        return ExitCode.failure.rawValue
    }
}
