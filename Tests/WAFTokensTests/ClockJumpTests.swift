import Testing

@testable import WAFTokens

struct ClockJumpTests {
    @Test("After a sleep the token is checked before it is used again: an expired one is not handed out")
    func sleptLong() throws {
        let world = try World.warm()
        _ = world.provider.readyToken()
        world.clock.jump(by: .seconds(3600))
        #expect(world.ready == nil)
        let request = world.request()
        #expect(request.value == nil)
        world.answer(.token("two"))
        #expect(request.token == "two")
        #expect(world.ready == "two")
        #expect(world.notes.contains(.clockJumped(by: .seconds(3600))))
    }

    @Test("After a short sleep the token is used on, and is as much older")
    func sleptShort() throws {
        let world = try World.warm()
        world.clock.jump(by: .seconds(30))
        #expect(world.ready == nil, "not before it was checked")
        #expect(world.request().token == "one")
        #expect(world.ready == "one")
        #expect(world.status?.token?.age == .seconds(30))
    }

    @Test("After a sleep beyond the delay the fresh token is waited for, as after idleness")
    func sleptBeyondDelay() throws {
        let world = try World.warm { $0.keepWarm = true }
        world.clock.jump(by: .seconds(100))
        let request = world.request()
        #expect(request.value == nil)
        world.answer(.token("two"))
        #expect(request.token == "two")
    }

    @Test("A wall clock that is set back makes no token younger")
    func setBack() throws {
        let world = try World.warm()
        world.source.follow { _ in .failed() }
        world.passBusily(.seconds(200))
        world.clock.jump(by: .seconds(-3600))
        #expect(world.ready == nil)
        #expect(world.request().token == "one")
        #expect(world.status?.token?.age == .seconds(200))
        world.passBusily(.seconds(101))
        #expect(world.ready == nil)
    }

    @Test("Clocks that drift apart slowly are no jump")
    func drift() throws {
        let world = try World.warm()
        for _ in 0..<50 {
            world.clock.jump(by: .milliseconds(20))
            #expect(world.ready != nil)
            _ = world.status
        }
        #expect(world.status?.token?.age == .zero)
        #expect(!world.notes.contains { if case .clockJumped = $0 { true } else { false } })
    }

    @Test("A token that is being fetched during a sleep counts from the start of its fetch")
    func duringFetch() throws {
        let world = try World()
        let request = world.request(within: .seconds(60))
        world.clock.jump(by: .seconds(400))
        world.answer(.token("one"))
        #expect(request.value == nil, "it has expired on arrival")
        world.pass(.milliseconds(100))
        world.answer(.token("two"))
        #expect(request.token == "two")
    }
}
