import Testing

@testable import WAFTokens

/// Hold, closed, open; deadlines, cancellation, reasons; enough life.
struct RequestTests {
    @Test("A request holds for a token, 5 s by default, and then has a reason")
    func holds() throws {
        let world = try World()
        let request = world.request()
        world.pass(.milliseconds(4_999))
        #expect(request.value == nil)
        world.pass(.milliseconds(1))
        #expect(request.reason == .holdTimeout)
    }

    @Test("A token that comes within the hold time ends the wait at once")
    func holdEnds() throws {
        let world = try World()
        let request = world.request()
        world.pass(.seconds(3))
        world.answer(.token("one"))
        #expect(request.token == "one")
    }

    @Test("Closed and open do not wait: the reason comes at once, and the fetch runs all the same")
    func closedAndOpen() throws {
        for mode in [WAFConfiguration.WhenNoToken.closed, .open] {
            let world = try World { $0.whenNoToken = mode }
            #expect(world.request().reason == .noTokenYet)
            #expect(world.source.underWay == 1)
            world.answer(.failed())
            #expect(world.request().reason == .sourceFailed)
        }
    }

    @Test("Closed says that the token has expired where that is the reason")
    func closedExpired() throws {
        let world = try World.warm { $0.whenNoToken = .closed }
        world.pass(.seconds(88))
        world.pass(.seconds(9))
        world.run { [provider = world.provider] in await provider.expireToken() }
        #expect(world.request().reason == .tokenExpired)
    }

    @Test("A source that fails and one that is too slow are told apart")
    func reasons() throws {
        let failing = try World()
        failing.source.follow { _ in .failed() }
        let one = failing.request()
        failing.pass(.seconds(5))
        #expect(one.reason == .sourceFailed)
        let slow = try World { $0.holdMsec = 12_000 }
        let other = slow.request()
        slow.pass(.seconds(12))
        #expect(other.reason == .sourceTimeout)
    }

    @Test("Each request's own deadline counts")
    func ownDeadlines() throws {
        let world = try World()
        let long = world.request(within: .seconds(8))
        let short = world.request(within: .seconds(1))
        let middle = world.request(within: .seconds(4))
        world.pass(.seconds(1))
        #expect(short.value != nil && middle.value == nil && long.value == nil)
        world.pass(.seconds(3))
        #expect(middle.value != nil && long.value == nil)
        world.pass(.seconds(4))
        #expect(long.value != nil)
    }

    @Test("A cancelled request has its answer at once, and the others go on waiting")
    func cancellation() throws {
        let world = try World()
        let gone = world.request()
        let stays = world.request()
        gone.cancel()
        world.settle()
        #expect(gone.value != nil)
        #expect(stays.value == nil)
        world.answer(.token("one"))
        #expect(stays.token == "one")
    }

    @Test("A request that was cancelled before it waits is not lost")
    func cancelledBefore() throws {
        let world = try World()
        let pending = world.loop.spawn { [provider = world.provider] in await provider.tokenForRequest() }
        pending.cancel()
        world.settle()
        #expect(pending.value != nil)
        #expect(world.status?.waiting == 0)
    }

    @Test("Recovery is by itself: after 503s the next good fetch serves")
    func recovers() throws {
        let world = try World()
        world.source.follow { _ in .failed() }
        let request = world.request()
        world.pass(.seconds(5))
        #expect(request.reason == .sourceFailed)
        world.source.follow { _ in .token("one") }
        world.pass(.seconds(5))
        #expect(world.ready == "one")
    }

    @Test("Enough life is min(30 s, immunity / 10)")
    func enoughLife() throws {
        func snapshot(_ immunity: Duration?) throws -> TokenSnapshot {
            TokenSnapshot(
                token: try WAFToken("t"), generation: 1, acquiredAt: .zero, expiresAt: immunity)
        }
        let usual = try snapshot(.seconds(300))
        #expect(usual.hasEnoughLife(at: .seconds(270)))
        #expect(!usual.hasEnoughLife(at: .seconds(271)))
        let long = try snapshot(.seconds(10_000))
        #expect(long.hasEnoughLife(at: .seconds(9_970)))
        #expect(!long.hasEnoughLife(at: .seconds(9_971)))
        #expect(try snapshot(nil).hasEnoughLife(at: .seconds(1_000_000)))
    }

    @Test("A request that can be sent only once waits for a token with enough life left")
    func waitsForLife() throws {
        let world = try World.warm()
        world.source.follow { _ in .failed() }
        world.passBusily(.seconds(280))
        #expect(world.ready == "one")
        world.source.follow(nil)
        let once = world.request(within: .seconds(10), needsLife: true)
        #expect(once.value == nil)
        #expect(world.request().token == "one", "one that can be replayed takes what is good")
        world.pass(.seconds(6))
        world.answer(.token("two"))
        #expect(once.token == "two")
    }

    @Test("Where no token with enough life comes within the hold time, one that is good is given")
    func lifeFallback() throws {
        let world = try World.warm()
        world.source.follow { _ in .failed() }
        world.passBusily(.seconds(280))
        let once = world.request(needsLife: true)
        world.pass(.seconds(5))
        #expect(once.token == "one")
    }

    @Test("A fetch that gives the same token again does not make such a request wait in circles")
    func lifeWithStaticToken() throws {
        let world = try World.warm()
        world.source.follow { _ in .failed() }
        world.passBusily(.seconds(280))
        world.source.follow { _ in .token("one") }
        let before = world.source.calls
        let once = world.request(needsLife: true)
        world.pass(.seconds(6))
        #expect(once.token == "one")
        #expect(world.source.calls <= before + 3)
    }

    @Test("After stop everybody who waited has an answer, and nobody waits again")
    func stopped() throws {
        let world = try World()
        let waiting = world.request()
        world.run { [provider = world.provider] in await provider.stop() }
        #expect(waiting.value != nil)
        #expect(world.source.cancelled == 1)
        #expect(world.request().value != nil)
        #expect(world.clock.sleepers == 0)
    }
}
