import Testing

@testable import WAFTokens

/// Thousands of seeded sequences of events against the machine, beside a model that knows only births and lives.
struct RandomOrderTests {
    @Test("Whatever the order of events: no expired token, no two flights, no lost waiter, always progress")
    func background() {
        for seed in 0..<3000 as Range<UInt64> {
            var walk = MachineWalk(seed: seed, inBackground: true)
            walk.run(steps: 120)
        }
    }

    @Test("On demand, too: no expired token, no lost waiter, always progress")
    func onDemand() {
        for seed in 0..<3000 as Range<UInt64> {
            var walk = MachineWalk(seed: seed, inBackground: false)
            walk.run(steps: 120)
        }
    }
}
