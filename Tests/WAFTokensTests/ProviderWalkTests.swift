import Testing

@testable import WAFTokens

/// Seeded random orders against the whole provider: actor, tasks, timers and cancellation included.
struct ProviderWalkTests {
    @Test("Whatever happens in whatever order, everybody who waits has an answer", arguments: [true, false])
    func everybodyIsAnswered(inBackground: Bool) throws {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let world = try World(checkInterval: .seconds(2)) {
                $0.profile = .unrestricted
                $0.backgroundRefreshEnabled = inBackground
                $0.tokenRefreshDelaySec = [1, 5, 88][Int.random(in: 0..<3, using: &random)]
                $0.fetchBudgetPerMinute = [0, 10][Int.random(in: 0..<2, using: &random)]
                $0.whenNoToken = [.hold, .closed][Int.random(in: 0..<2, using: &random)]
            }
            try walk(world, &random, seed)
        }
    }

    private func walk(_ world: World, _ random: inout SeededRandom, _ seed: UInt64) throws {
        var pending: [Pending<TokenOutcome>] = []
        for step in 0..<60 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: pending.append(world.request(needsLife: Bool.random(using: &random)))
            case 3: pending.append(world.challenge(UInt64.random(in: 0...3, using: &random)))
            case 4: world.answer(.token("token-\(step)", expiresIn: .seconds(Int.random(in: 1...100, using: &random))))
            case 5: world.answer(.failed())
            case 6:
                pending.randomElement(using: &random)?.cancel()
                world.settle()
            case 7:
                if let ready = world.provider.readyToken() { #expect(ready.isValid(at: world.now)) }
            case 8:
                world.clock.jump(by: .seconds(Int.random(in: -20...20, using: &random)))
                world.source.change(noticed: true)
                world.settle()
            default: world.pass(.milliseconds(Int.random(in: 1...4000, using: &random)))
            }
            if inSingleFlight(world) { #expect(world.source.underWay <= 1, "seed \(seed)") }
        }
        world.pass(.seconds(6))
        #expect(pending.allSatisfy { $0.value != nil }, "seed \(seed): somebody waits for ever")
        #expect(world.status?.waiting == 0)
        world.run { [provider = world.provider] in await provider.stop() }
        #expect(world.clock.sleepers == 0 && world.source.underWay == 0, "seed \(seed): something is left")
    }

    private func inSingleFlight(_ world: World) -> Bool {
        world.provider.configuration.backgroundRefreshEnabled
    }
}
