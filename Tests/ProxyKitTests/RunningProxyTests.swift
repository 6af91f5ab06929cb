import Emulator
import EventLoop
import ProxyKit
import Settings
import Telemetry
import Testing

/// The whole proxy inside this process, in front of the emulator.
@Suite struct RunningProxyTests {
    /// A proxy that knows `shop.test` as the emulator's origin and fetches its tokens there.
    private func settings(for origin: EmulatorAddresses) -> EffectiveSettings {
        var settings = EffectiveSettings()
        settings.listen = [.tcp(host: "127.0.0.1", port: 0)]
        settings.threads = 2
        settings.admin.listen = nil
        settings.intercept.ephemeralCA = true
        settings.explain = true
        settings.upstream.resolve = [
            ResolveEntry(host: "shop.test", port: 80, targetHost: origin.http.host, targetPort: origin.http.port)
        ]
        var provider = ProviderSettings()
        provider.domainName = "shop.test"
        provider.hosts = ["shop.test"]
        provider.source = .http(HTTPSourceSettings(url: origin.tokenURL))
        settings.providers = [provider]
        return settings
    }

    private func get(_ url: String, through proxy: SocketAddress) async throws -> String {
        let loop = try EventLoop(name: "client")
        loop.start()
        defer { loop.stop() }
        let result: Result<String, StreamError> = await loop.run {
            do throws(StreamError) {
                let stream = try await Stream.connect(to: proxy, on: loop, timeout: .seconds(60))
                defer { stream.close() }
                stream.send(Array("GET \(url) HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n".utf8))
                while try await stream.receive(within: .seconds(60)) {}
                let bytes = stream.inbound.withUnsafeBufferPointer { Array($0) }
                return .success(String(decoding: bytes, as: UTF8.self))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    @Test("a proxy started from settings attaches the token, and stops without a trace")
    func servesAndStops() async throws {
        let emulator = EmulatorServer()
        let origin = try await emulator.start()
        let proxy = try await RunningProxy(settings(for: origin))
        let answer = try await get("http://shop.test/protected/get", through: proxy.addresses[0])
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("x-waf-token-proxy: token=attached; replay=0"))
        await proxy.stop()
        await emulator.stop()
        await #expect(throws: StreamError.self) { try await get("http://shop.test/", through: proxy.addresses[0]) }
    }

    @Test("a second proxy on the same address says so in one sentence, and the first goes on")
    func addressInUse() async throws {
        var settings = EffectiveSettings()
        settings.admin.listen = nil
        settings.intercept.ephemeralCA = true
        settings.listen = [.tcp(host: "127.0.0.1", port: 0)]
        let first = try await RunningProxy(settings)
        settings.listen = [.tcp(host: "127.0.0.1", port: first.addresses[0].port)]
        let again = settings
        await #expect {
            _ = try await RunningProxy(again)
        } throws: { error in
            "\(error)" == "cannot listen on \(first.addresses[0]): bind: address already in use"
        }
        await first.stop()
    }

    @Test("settings that a provider cannot follow are refused with the setting's name")
    func badSettings() async throws {
        var settings = EffectiveSettings()
        settings.admin.listen = nil
        settings.intercept.ephemeralCA = true
        settings.listen = [.tcp(host: "127.0.0.1", port: 0)]
        var provider = ProviderSettings()
        provider.domainName = "shop.test"
        provider.hosts = ["shop.test"]
        provider.tokenRefreshDelaySec = 5
        provider.source = .fixed(Redacted("token"))
        settings.providers = [provider]
        let bad = settings
        await #expect {
            _ = try await RunningProxy(bad)
        } throws: { error in
            "\(error)".contains("tokenRefreshDelaySec is 5")
        }
    }
}
