import Testing

@testable import WAFTokens

/// Background refresh, single flight, expiry.
struct RefreshTests {
    @Test("A provider that starts counts as active and gets its first token at once")
    func warmsUp() throws {
        let world = try World()
        world.start()
        #expect(world.source.underWay == 1)
        #expect(world.ready == nil)
        world.answer(.token("one"))
        #expect(world.ready == "one")
    }

    @Test("The refresh runs tokenRefreshDelaySec after the last success, by one timer and not by polling")
    func refreshesByDeadline() throws {
        let world = try World.warm()
        #expect(world.clock.sleepers == 1)
        #expect(world.clock.nextDeadline == world.now + .seconds(88))
        _ = world.provider.readyToken()
        world.pass(.milliseconds(87_999))
        #expect(world.source.calls == 1)
        world.pass(.milliseconds(1))
        #expect(world.source.calls == 2)
    }

    @Test("While a refresh is under way the token that is held goes on being used")
    func usesHeldTokenMeanwhile() throws {
        let world = try World.warm()
        world.passBusily(.seconds(88))
        #expect(world.source.underWay == 1)
        #expect(world.ready == "one")
        world.answer(.token("two"))
        #expect(world.ready == "two")
    }

    @Test("A refresh comes earlier where the token lives shorter than the delay")
    func refreshesBeforeExpiry() throws {
        let world = try World()
        world.start()
        world.answer(.token("short", expiresIn: .seconds(20)))
        _ = world.provider.readyToken()
        world.pass(.seconds(18))
        #expect(world.source.calls == 2, "two seconds, a tenth of its life, before the end")
    }

    @Test("Any number of callers share one fetch, and each has an answer")
    func singleFlight() throws {
        let world = try World()
        let requests = (0..<500).map { _ in world.request() }
        let challenged = (0..<500).map { _ in world.challenge(0) }
        #expect(world.source.calls == 1)
        world.answer(.token("one"))
        #expect(requests.allSatisfy { $0.token == "one" })
        #expect(challenged.allSatisfy { $0.token == "one" })
        #expect(world.source.calls == 1)
        #expect(world.source.mostAtOnce == 1)
    }

    @Test("A failed flight clears itself: the next one comes, and one at a time")
    func failedFlightClears() throws {
        let world = try World()
        let request = world.request()
        world.answer(.failed())
        #expect(world.source.underWay == 0)
        world.pass(.milliseconds(100))
        #expect(world.source.underWay == 1)
        world.answer(.token("one"))
        #expect(request.token == "one")
        #expect(world.source.mostAtOnce == 1)
    }

    @Test("A source that never answers is given up after its time, and asked again")
    func hangingSource() throws {
        let world = try World()
        let request = world.request(within: .seconds(60))
        world.pass(.seconds(10))
        #expect(world.source.cancelled == 1)
        #expect(world.source.calls == 1)
        world.pass(.milliseconds(100))
        #expect(world.source.calls == 2)
        world.answer(.token("one"))
        #expect(request.token == "one")
    }

    @Test("A token is good while its age equals the immunity time, and expired one step later")
    func expiryIsGreaterThan() throws {
        let world = try World.warm()
        world.source.follow { _ in .failed() }
        world.passBusily(.seconds(300))
        #expect(world.ready == "one")
        world.pass(.nanoseconds(1))
        #expect(world.ready == nil)
        #expect(world.request(within: .zero).value?.snapshot == nil)
    }

    @Test("Age counts from the start of the fetch, not from its end")
    func ageFromStartOfFetch() throws {
        let world = try World()
        world.start()
        let start = world.now
        world.pass(.seconds(8))
        world.answer(.token("one"))
        let snapshot = try #require(world.provider.readyToken())
        #expect(snapshot.acquiredAt == start)
        #expect(snapshot.expiresAt == start + .seconds(300))
    }

    @Test("The source's lifetime comes before immunityTimeSec, and that before the source's default")
    func immunity() throws {
        let configured = try World.warm { $0.immunityTimeSec = 120 }
        let snapshot = try #require(configured.provider.readyToken())
        #expect(snapshot.expiresAt == snapshot.acquiredAt + .seconds(120))
        let told = try World { $0.immunityTimeSec = 120 }
        told.start()
        told.answer(.token("one", expiresIn: .seconds(50)))
        let other = try #require(told.provider.readyToken())
        #expect(other.expiresAt == other.acquiredAt + .seconds(50))
        let endless = try World.warm(defaultImmunity: nil)
        #expect(endless.provider.readyToken()?.expiresAt == nil)
    }

    @Test("The same value again is no newer token and does not reset its age")
    func sameValueKeepsAge() throws {
        let world = try World.warm()
        let first = try #require(world.provider.readyToken())
        world.passBusily(.seconds(88))
        world.answer(.token("one"))
        let second = try #require(world.provider.readyToken())
        #expect(second == first)
        #expect(world.status?.token?.age == .seconds(88))
    }

    @Test("A token that has expired on arrival is a failure like any other")
    func expiredOnArrival() throws {
        let world = try World()
        let request = world.request()
        world.answer(.token("old", acquiredAt: world.clock.now.wall - .seconds(301)))
        #expect(request.value == nil)
        world.pass(.seconds(5))
        #expect(request.reason == .tokenExpired)
        #expect(world.source.calls > 1)
    }

    @Test("A file's modification time is the acquisition time; one in the future counts as now")
    func modificationTime() throws {
        let world = try World()
        world.start()
        world.answer(.token("one", acquiredAt: world.clock.now.wall - .seconds(100)))
        #expect(world.provider.readyToken()?.acquiredAt == world.now - .seconds(100))
        let other = try World()
        other.start()
        other.answer(.token("one", acquiredAt: other.clock.now.wall + .seconds(100)))
        #expect(other.provider.readyToken()?.acquiredAt == other.now)
    }

    @Test("Each token of another value is the next generation")
    func generations() throws {
        let world = try World.warm()
        #expect(world.provider.readyToken()?.generation == 1)
        world.passBusily(.seconds(88))
        world.answer(.token("two"))
        #expect(world.provider.readyToken()?.generation == 2)
    }
}
