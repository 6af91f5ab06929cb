import Testing

@testable import WAFTokens

/// Sources that change under the provider's feet (files).
struct SourceChangeTests {
    private func world() throws -> World {
        try World.warm(checkInterval: .seconds(2), defaultImmunity: nil)
    }

    @Test("A change that the source notices is fetched at once")
    func noticed() throws {
        let world = try world()
        _ = world.provider.readyToken()
        world.source.change(noticed: true)
        world.settle()
        #expect(world.source.underWay == 1)
        world.answer(.token("two"))
        #expect(world.ready == "two")
    }

    @Test("A change that nothing notices is found by timer, without a fetch for every look")
    func byTimer() throws {
        let world = try world()
        world.passBusily(.seconds(20))
        #expect(world.source.calls == 1)
        #expect(world.source.checks >= 9)
        world.source.change(noticed: false)
        world.passBusily(.seconds(2))
        #expect(world.source.calls == 2)
        world.answer(.token("two"))
        #expect(world.ready == "two")
    }

    @Test("A change during a fetch is fetched after it")
    func duringFetch() throws {
        let world = try world()
        world.source.change(noticed: true)
        world.settle()
        world.source.change(noticed: true)
        world.settle()
        #expect(world.source.underWay == 1)
        world.answer(.token("two"))
        world.pass(.milliseconds(1))
        #expect(world.source.calls == 3)
        world.answer(.token("three"))
        #expect(world.ready == "three")
    }

    @Test("Idle, nothing is looked at; the next request waits for what changed meanwhile")
    func whileIdle() throws {
        let world = try world()
        world.source.follow { _ in .token("one") }
        world.pass(.seconds(200))
        world.source.follow(nil)
        let calls = world.source.calls
        let checks = world.source.checks
        #expect(world.clock.sleepers == 0)
        world.source.change(noticed: true)
        world.pass(.seconds(100))
        #expect(world.source.calls == calls)
        #expect(world.source.checks == checks)
        let request = world.request()
        #expect(request.value == nil)
        world.answer(.token("two"))
        #expect(request.token == "two")
    }

    @Test("A token without an end does not become stale")
    func neverStale() throws {
        let world = try world()
        world.source.follow { _ in .token("one") }
        world.passBusily(.seconds(10_000))
        #expect(world.ready == "one")
        #expect(world.status?.state == .fresh)
        #expect(world.provider.readyToken()?.generation == 1)
    }
}
