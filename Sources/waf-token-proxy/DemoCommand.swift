internal import Emulator
internal import EventLoop
internal import ProxyKit
internal import Settings
internal import Telemetry

/// `waf-token-proxy demo`: emulator and proxy on free loopback ports, shown at work.
enum DemoCommand {
    static func run(_ demo: DemoSettings, base: EffectiveSettings) async -> ExitCode {
        do {
            let signals = try StopSignal()
            try await signals.take()
            let loop = try EventLoop(name: "demo")
            loop.start()
            let folder = try TemporaryFolder()
            defer { folder.removeAll() }
            var options = EmulatorOptions()
            options.caFile = "\(folder.path)/emulator-ca.pem"
            let emulator = EmulatorServer(options: options)
            let origin = try await emulator.start()
            let proxy = try await RunningProxy(settings(demo, base, origin), logger: .silent)
            let trusted = "\(folder.path)/ca.pem"
            try WholeFile(path: trusted).write(proxy.trustAnchorPEM ?? "")
            let show = DemoShow(origin: origin, proxy: proxy.addresses[0], trustedFile: trusted, loop: loop)
            let isGood = await show.perform()
            if !demo.once, isGood {
                show.printLinesToPaste()
                _ = await signals.wait()
            }
            await proxy.stop()
            await emulator.stop()
            loop.stop()
            return isGood ? .success : .failure
        } catch let failure as RunningProxy.Failure {
            Terminal.complain(failure.description)
            return .unavailable
        } catch let failure as EmulatorError {
            Terminal.complain(failure.description)
            return .unavailable
        } catch let error as SystemError {
            // No folder, or no room in it.
            Terminal.complain("\(error)")
            return .failure
        } catch {
            Terminal.complain("\(error)")
            return .internal
        }
    }

    /// One provider that fetches from the emulator's issuer, for a name that only the proxy resolves.
    private static func settings(
        _ demo: DemoSettings, _ base: EffectiveSettings, _ origin: EmulatorAddresses
    ) -> EffectiveSettings {
        var settings = base
        settings.listen = [demo.listen]
        settings.admin.listen = nil
        settings.explain = true
        settings.intercept.ephemeralCA = true
        settings.upstream.caFile = origin.caFile
        settings.upstream.resolve = [(80, origin.http), (443, origin.https)].map { port, target in
            ResolveEntry(host: DemoShow.host, port: port, targetHost: target.host, targetPort: target.port)
        }
        var provider = ProviderSettings()
        provider.name = "demo"
        provider.domainName = DemoShow.host
        provider.hosts = [DemoShow.host]
        provider.source = .http(HTTPSourceSettings(url: origin.tokenURL))
        settings.providers = [provider]
        return settings
    }
}
