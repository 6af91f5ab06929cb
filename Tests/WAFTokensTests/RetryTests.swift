import Testing

@testable import WAFTokens

/// The retry schedule, its bounds, the budget.
struct RetryTests {
    /// The first waits between the starts of fetches, in milliseconds.
    private func expectGaps(_ world: World, _ expected: [Int], _ place: SourceLocation = #_sourceLocation) {
        let times = world.source.times.prefix(expected.count + 1)
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        let durations: [Duration] = expected.map { .milliseconds($0) }
        #expect(gaps == durations, sourceLocation: place)
    }

    @Test("Waits are 100, 200, 400, 800, 1600, 3200, 5000, 5000 … ms")
    func schedule() throws {
        let world = try World { $0.keepWarm = true }
        world.source.follow { _ in .failed() }
        world.start()
        world.pass(.seconds(25))
        expectGaps(world, [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
    }

    @Test("The ceiling is maxErrorTokenRefreshDelayMsec")
    func ceiling() throws {
        let world = try World {
            $0.keepWarm = true; $0.maxErrorTokenRefreshDelayMsec = 300
        }
        world.source.follow { _ in .failed() }
        world.start()
        world.pass(.seconds(2))
        expectGaps(world, [100, 200, 300, 300, 300])
    }

    @Test("Jitter full waits uniformly below the computed wait")
    func jitter() {
        let schedule = RetrySchedule(ceiling: .seconds(5), jitter: .full, limit: nil)
        var random = SeededRandom(seed: 7)
        let waits = (0..<2000).map { _ in schedule.wait(afterFailures: 4, &random) }
        #expect(waits.allSatisfy { $0 >= .zero && $0 < .milliseconds(800) })
        let mean = waits.reduce(.zero, +) / waits.count
        #expect(mean > .milliseconds(370) && mean < .milliseconds(430))
    }

    @Test("Without jitter the wait is the computed one, however many failures there were")
    func manyFailures() {
        let schedule = RetrySchedule(ceiling: .seconds(5), jitter: .none, limit: nil)
        var random = SeededRandom(seed: 7)
        #expect(schedule.wait(afterFailures: 1, &random) == .milliseconds(100))
        #expect(schedule.wait(afterFailures: 1_000_000, &random) == .seconds(5))
    }

    @Test("A success starts the schedule anew")
    func startsAnew() throws {
        let world = try World { $0.keepWarm = true }
        world.source.follow { $0 == 4 ? .token("four") : .failed() }
        world.start()
        world.pass(.seconds(90))
        expectGaps(world, [100, 200, 400, 88_000, 100])
    }

    @Test("When maxRetryCount is used up, background refresh goes on at the ceiling for ever")
    func goesOnAtCeiling() throws {
        let world = try World {
            $0.keepWarm = true; $0.maxRetryCount = 2
        }
        world.source.follow { _ in .failed() }
        world.start()
        world.pass(.seconds(60))
        expectGaps(world, [100, 200, 5000, 5000, 5000])
        #expect(world.source.calls >= 13)
    }

    @Test("An empty or malformed answer is a failure like any other and is retried")
    func malformedIsRetried() throws {
        let world = try World()
        world.source.follow { $0 < 3 ? .failed(.invalidVerifyChallengeResponse) : .token("three") }
        let request = world.request()
        world.pass(.milliseconds(300))
        #expect(request.token == "three")
    }

    @Test("fetchBudgetPerMinute caps fetches, retries included, and wins over the schedule")
    func budget() throws {
        let world = try World {
            $0.keepWarm = true; $0.fetchBudgetPerMinute = 5; $0.maxErrorTokenRefreshDelayMsec = 100
        }
        world.source.follow { _ in .failed() }
        world.start()
        world.pass(.milliseconds(59_999))
        #expect(world.source.calls == 5)
        world.pass(.milliseconds(2))
        #expect(world.source.calls == 6)
        world.pass(.seconds(600))
        let times = world.source.times
        for index in 5..<times.count { #expect(times[index] - times[index - 5] >= .seconds(60)) }
    }

    @Test("A tripped breaker has its own reason, its own count and one note")
    func breaker() throws {
        let world = try World { $0.fetchBudgetPerMinute = 2 }
        world.source.follow { _ in .failed() }
        let request = world.request()
        world.pass(.seconds(5))
        #expect(request.reason == .budgetExhausted)
        #expect(world.source.calls == 2)
        #expect(world.status?.budgetTrips == 1)
        #expect(world.notes.filter { if case .budgetTripped = $0 { true } else { false } }.count == 1)
    }

    @Test("The breaker over a good token harms nobody: it goes on being used")
    func breakerOverGoodToken() throws {
        let world = try World.warm {
            $0.fetchBudgetPerMinute = 1; $0.profile = .unrestricted; $0.tokenRefreshDelaySec = 5
        }
        world.passBusily(.seconds(30))
        #expect(world.source.calls == 1)
        #expect(world.ready == "one")
    }
}
