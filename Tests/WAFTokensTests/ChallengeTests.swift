import Testing

@testable import WAFTokens

/// Newer tokens after a challenge.
struct ChallengeTests {
    @Test("A thousand challenged requests share one fetch")
    func thousand() throws {
        let world = try World.warm()
        let challenged = (0..<1000).map { _ in world.challenge(1) }
        #expect(world.source.calls == 2)
        world.answer(.token("two"))
        #expect(challenged.allSatisfy { $0.token == "two" })
        #expect(world.source.calls == 2)
    }

    @Test("A request challenged with an older token than the current one has the current one at once, without a fetch")
    func older() throws {
        let world = try World.warm()
        world.passBusily(.seconds(88))
        world.answer(.token("two"))
        #expect(world.challenge(1).token == "two")
        #expect(world.source.calls == 2)
    }

    @Test("A source that gives the same value as before ends the attempt at once")
    func sameToken() throws {
        let world = try World.warm()
        let challenged = world.challenge(1)
        world.answer(.token("one"))
        #expect(challenged.reason == .sourceReturnedSameToken)
        #expect(world.notes.contains(.sourceReturnedSameToken))
        #expect(world.source.calls == 2)
        #expect(world.ready == "one")
    }

    @Test("It waits the hold time in every mode, and fails with the source's reason")
    func waits() throws {
        let world = try World.warm { $0.whenNoToken = .closed }
        world.source.follow { _ in .failed() }
        let challenged = world.challenge(1)
        world.pass(.milliseconds(4_999))
        #expect(challenged.value == nil)
        world.pass(.milliseconds(1))
        #expect(challenged.reason == .sourceFailed)
    }

    @Test("A background refresh that is under way already serves the challenged, too")
    func joinsRefresh() throws {
        let world = try World.warm()
        world.passBusily(.seconds(88))
        #expect(world.source.underWay == 1)
        let challenged = world.challenge(1)
        #expect(world.source.calls == 2)
        world.answer(.token("two"))
        #expect(challenged.token == "two")
    }

    @Test("A request that was sent without a token takes any")
    func withoutToken() throws {
        let world = try World.warm()
        #expect(world.challenge(0).token == "one")
    }

    @Test("An adopted token serves those who wait for a newer one")
    func adopted() throws {
        let world = try World.warm()
        let challenged = world.challenge(1)
        #expect(world.adopt("two", overTLS: true) == true)
        #expect(challenged.token == "two")
        #expect(world.ready == "two")
    }

    @Test("A response's token is adopted over TLS only, and only a value that can be a token")
    func adoptionRules() throws {
        let world = try World.warm()
        #expect(world.adopt("two", overTLS: false) == false)
        #expect(world.adopt("t w o", overTLS: true) == false)
        #expect(world.ready == "one")
        var policy = AttachPolicy()
        #expect(!policy.adoptsResponseToken(overTLS: true))
        policy.responseToken = .adopt
        #expect(policy.adoptsResponseToken(overTLS: true))
        #expect(!policy.adoptsResponseToken(overTLS: false))
    }
}
