import Testing

@testable import WAFTokens

/// Inactivity and return, keepWarm, marks by hand.
struct IdlenessTests {
    @Test("Inactive for longer than the delay: refreshing stops, no timer is left, no call is made")
    func stops() throws {
        let world = try World.warm()
        world.source.follow { _ in .token("two") }
        world.pass(.seconds(88))
        #expect(world.source.calls == 2, "still active at exactly the delay")
        world.pass(.seconds(88))
        #expect(world.source.calls == 2)
        #expect(world.clock.sleepers == 0)
        world.pass(.seconds(100_000))
        #expect(world.source.calls == 2)
        #expect(world.status?.state == .idle)
        #expect(world.notes.contains(.becameIdle))
    }

    @Test("The next request makes it active, starts the refresh and waits for the fresh token, not the stale one")
    func returns() throws {
        let world = try World.warm()
        world.pass(.seconds(88))
        world.answer(.token("two"))
        world.pass(.seconds(100))
        #expect(world.ready == nil, "two is good for 200 s more, but stale")
        let request = world.request()
        let other = world.request()
        #expect(request.value == nil)
        #expect(world.ready == nil)
        #expect(world.source.underWay == 1)
        world.answer(.token("three"))
        #expect(request.token == "three")
        #expect(other.token == "three")
        #expect(world.ready == "three")
        #expect(world.notes.contains(.becameActive))
    }

    @Test("After the return's hold time a stale token that is still good is better than none, for everybody")
    func returnsToFailingSource() throws {
        let world = try World.warm()
        world.pass(.seconds(88))
        world.answer(.token("two"))
        world.source.follow { _ in .failed() }
        world.pass(.seconds(100))
        let request = world.request()
        world.pass(.milliseconds(4_999))
        #expect(request.value == nil)
        #expect(world.ready == nil)
        world.pass(.milliseconds(1))
        #expect(request.token == "two")
        #expect(world.ready == "two")
    }

    @Test("With closed and open there is no hold time: a stale token that is good is used while the refresh runs")
    func returnsWithoutHold() throws {
        for mode in [WAFConfiguration.WhenNoToken.closed, .open] {
            let world = try World.warm { $0.whenNoToken = mode }
            world.pass(.seconds(88))
            world.answer(.token("two"))
            world.pass(.seconds(100))
            #expect(world.request().token == "two")
            #expect(world.source.underWay == 1)
        }
    }

    @Test("An idle provider whose token is still fresh gives it at once")
    func returnsInTime() throws {
        let world = try World.warm()
        world.pass(.seconds(88))
        world.answer(.token("two"))
        world.pass(.seconds(40))
        #expect(world.ready == "two", "no request for 128 s, but the token is 40 s old")
    }

    @Test("The read on the request path counts as activity")
    func readsAreActivity() throws {
        let world = try World.warm()
        world.source.follow { .token("token-\($0)") }
        for _ in 0..<20 {
            world.pass(.seconds(60))
            #expect(world.ready != nil)
        }
        #expect(world.source.calls >= 13)
    }

    @Test("keepWarm refreshes without any request")
    func keepWarm() throws {
        let world = try World.warm { $0.keepWarm = true }
        world.source.follow { .token("token-\($0)") }
        world.pass(.seconds(880))
        #expect(world.source.calls == 11)
        #expect(world.ready == "token-11")
    }

    @Test("Marked active by hand it refreshes without any request, until the mark is taken away")
    func markedByHand() throws {
        let world = try World.warm()
        world.source.follow { .token("token-\($0)") }
        world.run { [provider = world.provider] in await provider.setActive(true) }
        world.pass(.seconds(880))
        #expect(world.source.calls == 11)
        world.run { [provider = world.provider] in await provider.setActive(false) }
        #expect(world.clock.sleepers == 0)
        world.pass(.seconds(880))
        #expect(world.source.calls == 11)
        #expect(world.request().token == "token-12")
    }

    @Test("A mark on an idle provider starts the refresh")
    func markOnIdle() throws {
        let world = try World.warm()
        world.source.follow { .token("token-\($0)") }
        world.pass(.seconds(1000))
        let before = world.source.calls
        world.run { [provider = world.provider] in await provider.setActive(true) }
        #expect(world.source.calls == before + 1)
    }

    @Test("A failing source is not asked for ever either: idle, the tries stop")
    func failingSourceGoesIdle() throws {
        let world = try World()
        world.source.follow { _ in .failed() }
        world.start()
        world.pass(.seconds(120))
        let calls = world.source.calls
        #expect(world.clock.sleepers == 0)
        world.pass(.seconds(1000))
        #expect(world.source.calls == calls)
        #expect(world.status?.state == .idle)
        #expect(world.status?.isReady == false)
    }

    @Test("Those who wait keep it going")
    func waitersKeepItGoing() throws {
        let world = try World {
            $0.profile = .unrestricted; $0.tokenRefreshDelaySec = 1
        }
        world.source.follow { _ in .failed() }
        let request = world.request(within: .seconds(60))
        world.pass(.seconds(50))
        #expect(request.value == nil)
        #expect(world.source.calls > 10)
        world.source.follow { _ in .token("late") }
        world.pass(.seconds(6))
        #expect(request.token == "late")
    }

    @Test("Ready: the token is good, or the provider is idle and its last fetch was good")
    func readiness() throws {
        let world = try World()
        world.start()
        #expect(world.status?.isReady == false)
        world.answer(.token("one"))
        #expect(world.status?.isReady == true)
        world.pass(.seconds(88))
        world.answer(.token("two"))
        world.pass(.seconds(1000))
        #expect(world.status?.state == .idle)
        #expect(world.status?.isReady == true, "the token is expired, but all was well")
    }
}
