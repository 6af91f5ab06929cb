import Emulator
import Foundation
import ProxyKit
import Settings
import Testing

/// A test suite that has a proxy of its own for as long as a test runs. Here the endpoint is the emulator; with your own,
/// leave out `resolve` and name your hosts and your token service.
@Suite struct ShopTests {
    @Test("the protected page is reached through the proxy")
    func protectedPage() async throws {
        let emulator = EmulatorServer()
        let endpoint = try await emulator.start()

        var settings = EffectiveSettings()
        settings.listen = [.tcp(host: "127.0.0.1", port: 0)]
        settings.admin.listen = nil
        // For https:// URLs clients have to trust `proxy.trustAnchorPEM`; it ends with the test.
        settings.intercept.ephemeralCA = true
        settings.upstream.resolve = [
            ResolveEntry(host: "shop.test", port: 80, targetHost: endpoint.http.host, targetPort: endpoint.http.port)
        ]
        var provider = ProviderSettings()
        provider.domainName = "shop.test"
        provider.hosts = ["shop.test"]
        provider.source = .http(HTTPSourceSettings(url: endpoint.tokenURL))
        settings.providers = [provider]
        let proxy = try await RunningProxy(settings)

        // The code under test: curl, as it knows nothing of tokens.
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/env")
        curl.arguments = [
            "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-x", "http://\(proxy.addresses[0])",
            "http://shop.test/protected/get",
        ]
        let output = Pipe()
        curl.standardOutput = output
        try curl.run()
        let status = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        curl.waitUntilExit()
        #expect(status == "200")

        await proxy.stop()
        await emulator.stop()
    }
}
