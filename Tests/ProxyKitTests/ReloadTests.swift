import Emulator
import EventLoop
import Settings
import Telemetry
import Testing
import WAFTokens

@testable import ProxyKit

/// `RunningProxy+Reload`, in this process and in front of the emulator.
@Suite(.timeLimit(.minutes(2)))
struct ReloadTests {
    private func settings(for origin: EmulatorAddresses) -> EffectiveSettings {
        var settings = EffectiveSettings()
        settings.listen = [.tcp(host: "127.0.0.1", port: 0)]
        settings.threads = 2
        settings.admin.listen = nil
        settings.intercept.ephemeralCA = true
        settings.explain = true
        settings.upstream.resolve = ["shop.test", "late.shop.test"].map {
            ResolveEntry(host: $0, port: 80, targetHost: origin.http.host, targetPort: origin.http.port)
        }
        settings.providers = [provider(for: origin)]
        return settings
    }

    private func provider(for origin: EmulatorAddresses) -> ProviderSettings {
        var provider = ProviderSettings()
        provider.domainName = "shop.test"
        provider.hosts = ["shop.test"]
        provider.source = .http(HTTPSourceSettings(url: origin.tokenURL))
        return provider
    }

    private func with(
        _ body: (RunningProxy, EffectiveSettings, EmulatorAddresses) async throws -> Void
    ) async throws {
        let emulator = EmulatorServer()
        let origin = try await emulator.start()
        let settings = settings(for: origin)
        let proxy = try await RunningProxy(settings)
        let result: Result<Void, any Error>
        do { result = .success(try await body(proxy, settings, origin)) } catch { result = .failure(error) }
        await proxy.stop()
        await emulator.stop()
        try result.get()
    }

    private func token(of proxy: RunningProxy) async -> String? {
        _ = await proxy.state.withLock { $0.providers.all[0] }.tokenForRequest(within: .seconds(60))
        return await proxy.state.withLock { $0.providers.all[0] }.status().token?.fingerprint
    }

    @Test("a kept-alive connection goes by the new hosts with its next request, and the provider keeps its token")
    func hosts() async throws {
        try await with { proxy, settings, _ in
            let client = try await Client(to: proxy.addresses[0])
            #expect(try await client.get("http://late.shop.test/get").contains("token=none"))
            let before = await token(of: proxy)
            var new = settings
            new.providers[0].hosts = ["shop.test", "*.shop.test"]
            #expect(await proxy.reload(new) == .done(changed: ["providers"], warnings: []))
            #expect(try await client.get("http://late.shop.test/get").contains("token=attached"))
            #expect(await token(of: proxy) == before)
            #expect(await proxy.state.withLock { $0.providers.all[0] }.status().fetches[.new] == 1)
            await client.close()
        }
    }

    @Test("other rules for the same source: another provider, the same token")
    func rules() async throws {
        try await with { proxy, settings, _ in
            let before = await token(of: proxy)
            let first = proxy.state.withLock { $0.providers.all[0] }
            var new = settings
            new.providers[0].tokenRefreshDelaySec = 120
            #expect(await proxy.reload(new) == .done(changed: ["providers"], warnings: []))
            #expect(proxy.state.withLock { $0.providers.all[0] } !== first)
            #expect(await token(of: proxy) == before && before != nil)
            new.providers = []
            #expect(await proxy.reload(new) == .done(changed: ["providers"], warnings: []))
            #expect(proxy.state.withLock { $0.providers.all.isEmpty })
        }
    }

    @Test("settings that cannot be followed change nothing")
    func refused() async throws {
        try await with { proxy, settings, _ in
            let before = proxy.state.withLock { $0.providers.all[0] }
            let wrongs: [((inout EffectiveSettings) -> Void, String)] = [
                ({ $0.threads = 1 }, "threads: "),
                ({ $0.providers[0].tokenRefreshDelaySec = 5 }, "tokenRefreshDelaySec"),
                ({ $0.upstream.caFile = "/nonexistent.pem" }, "/nonexistent.pem"),
                ({ $0.providers.append($0.providers[0]) }, "shop.test"),
            ]
            for (change, word) in wrongs {
                var wrong = settings
                change(&wrong)
                guard case .refused(let lines) = await proxy.reload(wrong) else {
                    Issue.record("\(word) was taken")
                    continue
                }
                #expect(lines.count == 1 && lines[0].contains(word), "\(lines)")
            }
            #expect(proxy.state.withLock { $0.settings } == settings)
            #expect(proxy.state.withLock { $0.providers.all[0] } === before)
            #expect(await proxy.reload() == .refused(["the settings of this proxy come from nowhere to be read again"]))
        }
    }

    @Test("destinations that are denied now are denied on connections to origins that stand, too")
    func destinations() async throws {
        try await with { proxy, settings, origin in
            let client = try await Client(to: proxy.addresses[0])
            #expect(try await client.get("http://shop.test/get").hasPrefix("HTTP/1.1 200 "))
            var new = settings
            new.access.denyDestinations = [.network(try #require(NetworkRange("127.0.0.0/8")))]
            #expect(await proxy.reload(new) == .done(changed: ["access"], warnings: []))
            #expect(try await client.get("http://shop.test/get").hasPrefix("HTTP/1.1 403 "))
            #expect(await proxy.reload(settings) == .done(changed: ["access"], warnings: []))
            #expect(try await client.get("http://shop.test/get").hasPrefix("HTTP/1.1 200 "))
            await client.close()
        }
    }
}

/// One kept-alive connection to a proxy, on a loop of its own.
private final class Client: @unchecked Sendable {
    private let loop: EventLoop
    private let stream: Stream

    init(to proxy: SocketAddress) async throws {
        let loop = try EventLoop(name: "client")
        loop.start()
        self.loop = loop
        nonisolated(unsafe) var connected: Stream?
        let fault: StreamError? = await loop.run {
            do throws(StreamError) {
                connected = try await Stream.connect(to: proxy, on: loop, timeout: .seconds(60))
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
        stream = try #require(connected)
    }

    /// The whole answer, which has a `Content-Length`.
    func get(_ url: String) async throws -> String {
        let host = url.split(separator: "/")[1]
        let result: Result<String, StreamError> = await loop.run { [self] in
            let stream = stream
            stream.send(Array("GET \(url) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
            do throws(StreamError) {
                while true {
                    let bytes = stream.inbound.withUnsafeBufferPointer { Array($0) }
                    let text = String(decoding: bytes, as: UTF8.self)
                    if let end = text.firstRange(of: "\r\n\r\n"), let length = Self.length(text[..<end.lowerBound]),
                        text[end.upperBound...].utf8.count >= length
                    {
                        stream.consume(bytes.count)
                        return .success(text)
                    }
                    guard try await stream.receive(within: .seconds(60)) else { return .failure(.closed) }
                }
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func length(_ head: Substring) -> Int? {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        return line.flatMap { Int($0.split(separator: " ")[1]) }
    }

    func close() async {
        await loop.run { [self] in stream.close() }
        loop.stop()
    }
}
