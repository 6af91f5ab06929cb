import Testing

@testable import WAFTokens

/// backgroundRefreshEnabled: false.
struct OnDemandTests {
    private func world(_ configure: (inout WAFConfiguration) -> Void = { _ in }) throws -> World {
        try World {
            $0.backgroundRefreshEnabled = false
            configure(&$0)
        }
    }

    private func getToken(_ world: World, within limit: Duration? = nil) -> Pending<WAFToken?> {
        let pending = world.loop.spawn { [provider = world.provider] in await provider.getToken(within: limit) }
        world.settle()
        return pending
    }

    @Test("Nothing is fetched before somebody asks, and no timer runs")
    func quiet() throws {
        let world = try world()
        world.start()
        world.pass(.seconds(1000))
        #expect(world.source.calls == 0)
        #expect(world.clock.sleepers == 0)
        #expect(world.status?.isReady == true)
    }

    @Test("getToken fetches a new token every time, each with its own time, and caches none")
    func fetchesEachTime() throws {
        let world = try world()
        world.source.follow { .token("token-\($0)") }
        #expect(getToken(world).value??.getValue() == "token-1")
        #expect(getToken(world).value??.getValue() == "token-2")
        #expect(world.ready == nil)
    }

    @Test("Each request of the proxy fetches its own, at the same time if need be")
    func independent() throws {
        let world = try world()
        let first = world.request()
        let second = world.request()
        #expect(world.source.underWay == 2)
        world.answer(.token("one"))
        world.answer(.token("two"))
        #expect(Set([first.token, second.token]) == ["one", "two"])
    }

    @Test("It retries by the schedule within the hold time")
    func retries() throws {
        let world = try world()
        world.source.follow { $0 < 4 ? .failed() : .token("four") }
        let request = world.request()
        world.pass(.milliseconds(699))
        #expect(request.value == nil)
        world.pass(.milliseconds(1))
        #expect(request.token == "four")
    }

    @Test("After the retries getToken gives the previous token's value, or nil if there never was one")
    func previous() throws {
        let world = try world { $0.maxRetryCount = 2 }
        world.source.follow { _ in .failed() }
        let none = getToken(world)
        world.pass(.seconds(1))
        #expect(none.value == .some(nil))
        #expect(world.source.calls == 3)
        world.source.follow { _ in .token("one") }
        _ = getToken(world)
        world.source.follow { _ in .failed() }
        world.pass(.seconds(1000))
        let later = getToken(world)
        world.pass(.seconds(1))
        #expect(later.value??.getValue() == "one", "although it has expired")
        #expect(world.source.calls == 7)
    }

    @Test("A previous token that has expired is not attached by the proxy; one that is good is")
    func previousForProxy() throws {
        let world = try world { $0.maxRetryCount = 0 }
        world.source.follow { $0 == 1 ? .token("one") : .failed() }
        #expect(world.request().token == "one")
        world.pass(.seconds(300))
        #expect(world.request().token == "one")
        world.pass(.seconds(1))
        #expect(world.request().reason == .sourceFailed)
    }

    @Test("The library call takes a deadline")
    func deadline() throws {
        let world = try world()
        let pending = getToken(world, within: .seconds(2))
        world.pass(.milliseconds(1_999))
        #expect(pending.value == nil)
        world.pass(.milliseconds(1))
        #expect(pending.value == .some(nil))
        #expect(world.source.cancelled == 1)
    }

    @Test("The hold time bounds a request, also with closed, where there is nothing to hold for but the fetch itself")
    func hold() throws {
        let world = try world { $0.whenNoToken = .closed }
        let request = world.request(within: .zero)
        world.pass(.milliseconds(4_999))
        #expect(request.value == nil)
        world.pass(.milliseconds(1))
        #expect(request.reason == .holdTimeout)
    }

    @Test("The budget bounds them all together")
    func budget() throws {
        let world = try world { $0.fetchBudgetPerMinute = 3 }
        world.source.follow { .token("token-\($0)") }
        let requests = (0..<5).map { _ in world.request() }
        world.pass(.seconds(5))
        #expect(requests.filter { $0.token != nil }.count == 5, "two had the previous token, which is good")
        #expect(world.source.calls == 3)
        let other = try self.world { $0.fetchBudgetPerMinute = 1 }
        other.source.follow { _ in .failed() }
        let refused = other.request()
        other.pass(.seconds(5))
        #expect(refused.reason == .budgetExhausted)
    }

    @Test("A challenged request fetches a token of its own; the same value again ends the attempt at once")
    func challenged() throws {
        let world = try world()
        world.source.follow { $0 < 3 ? .token("one") : .token("two") }
        #expect(world.request().value?.snapshot?.generation == 1)
        #expect(world.challenge(1).reason == .sourceReturnedSameToken)
        #expect(world.challenge(1).token == "two")
    }

    @Test("A cancelled request takes its fetch with it")
    func cancelled() throws {
        let world = try world()
        let request = world.request()
        request.cancel()
        world.settle()
        #expect(request.value != nil)
        #expect(world.source.cancelled == 1)
        #expect(world.source.underWay == 0)
    }

    @Test("onTokenReady shares one flight in this mode, too")
    func readinessShares() throws {
        let world = try world()
        let both = (0..<2).map { _ in
            world.loop.spawn { [provider = world.provider] in await provider.tokenWhenReady() }
        }
        world.settle()
        #expect(world.source.calls == 1)
        world.answer(.token("one"))
        #expect(both.allSatisfy { $0.value??.getValue() == "one" })
        #expect(world.clock.sleepers == 0)
    }
}
