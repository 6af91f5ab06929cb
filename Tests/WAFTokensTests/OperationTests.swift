import Telemetry
import Testing

@testable import WAFTokens

/// The SDK's operations, and the operator's.
struct OperationTests {
    /// What `onTokenReady` called with; waits for one call.
    private final class Calls: Sendable {
        private let (stream, continuation) = AsyncStream.makeStream(of: Result<WAFToken, SdkError>.self)
        var callback: WAFTokenProvider.ReadyCallback { { [continuation] in continuation.yield($0) } }
        func next() async -> Result<WAFToken, SdkError>? {
            var iterator = stream.makeAsyncIterator()
            return await iterator.next()
        }
    }

    private func getToken(_ world: World) -> String?? {
        world.wait { [provider = world.provider] in await provider.getToken()?.getValue() }
    }

    @Test("getToken with background refresh gives what is held, without network")
    func getTokenIsCached() throws {
        let world = try World()
        #expect(getToken(world) == .some(nil))
        world.answer(.token("one"))
        let calls = world.source.calls
        #expect(getToken(world) == "one")
        #expect(world.source.calls == calls)
    }

    @Test("getToken with background refresh gives no expired token")
    func getTokenNotExpired() throws {
        let world = try World.warm()
        world.pass(.seconds(1000))
        #expect(getToken(world) == .some(nil))
    }

    @Test("onTokenReady refreshes and calls back once with the new token")
    func onTokenReady() async throws {
        let world = try World.warm()
        let calls = Calls()
        world.provider.onTokenReady(calls.callback)
        world.settle()
        #expect(world.source.calls == 2, "also with a fresh token in hand")
        world.answer(.token("two"))
        #expect(try await calls.next()?.get().getValue() == "two")
    }

    @Test("Any number of onTokenReady share one flight")
    func onTokenReadyShares() async throws {
        let world = try World.warm()
        let all = (0..<10).map { _ in Calls() }
        for calls in all { world.provider.onTokenReady(calls.callback) }
        world.settle()
        #expect(world.source.calls == 2)
        world.answer(.token("two"))
        for calls in all { #expect(try await calls.next()?.get().getValue() == "two") }
    }

    @Test(
        "onTokenReady never gives up: the error is told once when the bounded phase ends, and the token on success",
        arguments: [true, false])
    func neverGivesUp(inBackground: Bool) async throws {
        let world = try World {
            $0.maxRetryCount = 2; $0.backgroundRefreshEnabled = inBackground
        }
        world.source.follow { _ in .failed(.errorInvokingVerifyEndpoint) }
        let calls = Calls()
        world.provider.onTokenReady(calls.callback)
        world.settle()
        world.pass(.seconds(1000))
        #expect(await calls.next() == .failure(.errorInvokingVerifyEndpoint))
        #expect(world.source.calls > 190, "it goes on every five seconds")
        world.source.follow { _ in .token("late") }
        world.pass(.seconds(5))
        #expect(try await calls.next()?.get().getValue() == "late", "the error was told once, then this")
    }

    @Test("loadTokenIntoProvider replaces what is held; the provider refreshes it from then on")
    func load() throws {
        let world = try World.warm()
        let token = try WAFToken("loaded")
        world.run { [provider = world.provider] in await provider.loadTokenIntoProvider(token) }
        #expect(world.ready == "loaded")
        #expect(world.provider.readyToken()?.generation == 2)
        world.passBusily(.seconds(88))
        #expect(world.source.calls == 2)
        world.answer(.token("three"))
        #expect(world.ready == "three")
    }

    @Test("A fetch under way is left behind when a token is loaded, and those who wait have the loaded one")
    func loadDuringFlight() throws {
        let world = try World()
        let request = world.request()
        let token = try WAFToken("loaded")
        world.run { [provider = world.provider] in await provider.loadTokenIntoProvider(token, expiresIn: .seconds(60))
        }
        #expect(request.token == "loaded")
        #expect(world.source.cancelled == 1)
        #expect(world.ready == "loaded")
    }

    @Test("A source that repeats its last value does not push out a good token that was loaded since")
    func loadOverStaticSource() throws {
        let world = try World.warm(defaultImmunity: nil)
        world.source.follow { _ in .token("one") }
        let token = try WAFToken("loaded")
        world.run { [provider = world.provider] in
            await provider.loadTokenIntoProvider(token, expiresIn: .seconds(600))
        }
        world.passBusily(.seconds(500))
        #expect(world.ready == "loaded")
        #expect(world.challenge(2).reason == .sourceReturnedSameToken)
        world.passBusily(.seconds(110))
        #expect(world.ready == "one", "the loaded one has expired, the source's has not")
        #expect(world.provider.readyToken()?.acquiredAt == .seconds(1000), "with the age that it has")
    }

    @Test("A token that is loaded before the start saves the first fetch")
    func loadBeforeStart() throws {
        let world = try World()
        let token = try WAFToken("loaded")
        world.run { [provider = world.provider] in await provider.loadTokenIntoProvider(token) }
        #expect(world.request().token == "loaded")
        #expect(world.source.calls == 0)
        world.passBusily(.seconds(88))
        #expect(world.source.calls == 1)
    }

    @Test("A challenged request has a loaded token at once")
    func loadServesChallenged() throws {
        let world = try World.warm()
        let challenged = world.challenge(1)
        let token = try WAFToken("loaded")
        world.run { [provider = world.provider] in await provider.loadTokenIntoProvider(token) }
        #expect(challenged.token == "loaded")
    }

    @Test("Each new token goes into the cookie store with domain and path, unless setTokenCookie says no")
    func cookieStore() throws {
        let world = try World.warm { $0.tokenCookiePath = "/web" }
        #expect(world.jar.cookies.map { $0.token.getValue() } == ["one"])
        #expect(world.jar.cookies.first?.domain == "shop.test")
        #expect(world.jar.cookies.first?.path == "/web")
        let without = try World.warm { $0.setTokenCookie = false }
        #expect(without.jar.cookies.isEmpty)
        without.provider.storeTokenInCookieStorage(try WAFToken("back"))
        #expect(without.jar.cookies.map { $0.token.getValue() } == ["back"])
    }

    @Test("The sequence of tokens begins with the current one and ends with the provider")
    func sequence() async throws {
        let world = try World.warm()
        var tokens = world.provider.tokens.makeAsyncIterator()
        #expect(await tokens.next()?.token.getValue() == "one")
        world.passBusily(.seconds(88))
        world.answer(.token("two"))
        #expect(await tokens.next()?.token.getValue() == "two")
        world.run { [provider = world.provider] in await provider.stop() }
        #expect(await tokens.next() == nil)
        var later = world.provider.tokens.makeAsyncIterator()
        #expect(await later.next() == nil)
    }

    @Test("The operator's refresh fetches now, also where a retry is due only later")
    func refresh() throws {
        let world = try World { $0.keepWarm = true }
        world.source.follow { _ in .failed() }
        world.start()
        world.pass(.seconds(20))
        world.source.follow { _ in .token("now") }
        let calls = world.source.calls
        let refreshed = world.wait { [provider = world.provider] in await provider.refresh() }
        #expect(refreshed?.snapshot?.token.getValue() == "now")
        #expect(world.source.calls == calls + 1)
    }

    @Test("An expired mark by hand makes the next request wait for another token")
    func expire() throws {
        let world = try World.warm()
        world.run { [provider = world.provider] in await provider.expireToken() }
        #expect(world.ready == nil)
        #expect(world.source.underWay == 1)
        let request = world.request()
        world.answer(.token("two"))
        #expect(request.token == "two")
    }

    @Test("The provider's tasks end with its last reference")
    func endsWithReference() throws {
        var world: World? = try World.warm()
        let clock = try #require(world?.clock)
        let loop = try #require(world?.loop)
        #expect(clock.sleepers == 1)
        world?.stopsAtEnd = false
        world = nil
        loop.run()
        #expect(clock.sleepers == 0)
    }

    @Test("The status shows state, fingerprint and times, and no token")
    func status() throws {
        let world = try World()
        #expect(world.status?.state == .empty)
        world.start()
        #expect(world.status?.state == .fetching)
        world.answer(.token("secret-value"))
        world.passBusily(.seconds(10))
        let fresh = try #require(world.status)
        #expect(fresh.state == .fresh)
        let fingerprint = try WAFToken("secret-value").fingerprint
        #expect(fresh.token?.fingerprint == fingerprint)
        #expect(fresh.token?.age == .seconds(10))
        #expect(fresh.token?.expiresIn == .seconds(290))
        #expect(fresh.nextRefresh == .seconds(78))
        #expect(fresh.lastFetch?.outcome == .new)
        #expect(!"\(fresh)".contains("secret-value"))
        world.passBusily(.seconds(80))
        #expect(world.status?.state == .stale)
        world.answer(.failed(.errorInvokingVerifyEndpoint))
        let failing = try #require(world.status)
        #expect(failing.state == .failing && failing.isReady)
        #expect(failing.lastFetch?.error == .errorInvokingVerifyEndpoint)
        let counts: [FetchRecord.Outcome: UInt64] = [.new: 1, .failed: 1]
        #expect(failing.fetches == counts)
    }

    @Test("No note shows a token")
    func notes() throws {
        let world = try World.warm()
        world.passBusily(.seconds(88))
        world.answer(.token("very-secret"))
        #expect(!"\(world.notes)".contains("very-secret"))
        #expect(world.notes.contains(.fetchStarted))
    }
}
