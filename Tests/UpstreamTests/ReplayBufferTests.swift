import HTTP
import Testing

@testable import Upstream

@Suite struct ReplayBufferTests {
    private func bytes(_ count: Int, _ value: UInt8 = 7) -> [UInt8] { [UInt8](repeating: value, count: count) }

    @Test("a body within both bounds is kept whole")
    func whole() {
        let budget = ReplayBudget(limit: 1_000_000)
        let buffer = ReplayBuffer(limit: 100_000, budget: budget)
        for value in 0..<100 { buffer.append(bytes(1000, UInt8(value)).span) }
        buffer.finish()
        #expect(buffer.state == .complete)
        #expect(buffer.count == 100_000)
        #expect((0..<100_000).allSatisfy { buffer.span[$0] == UInt8($0 / 1000) })
    }

    @Test("a body over its own bound is let go, and its bytes go back to the budget")
    func overLimit() {
        let budget = ReplayBudget(limit: 1_000_000)
        let buffer = ReplayBuffer(limit: 1000, budget: budget)
        buffer.append(bytes(1000).span)
        #expect(buffer.state == .filling)
        buffer.append(bytes(1).span)
        #expect(buffer.state == .tooLarge)
        #expect(buffer.count == 0)
        #expect(budget.usedBytes == 0)
        buffer.append(bytes(1).span)
        buffer.finish()
        #expect(buffer.state == .tooLarge)
    }

    @Test("the budget bounds all copies together and is given back when they go")
    func budget() {
        let budget = ReplayBudget(limit: 50_000)
        do {
            let first = ReplayBuffer(limit: 100_000, budget: budget)
            let second = ReplayBuffer(limit: 100_000, budget: budget)
            first.append(bytes(40_000).span)
            second.append(bytes(20_000).span)
            #expect(first.state == .filling)
            #expect(second.state == .tooLarge)
            #expect(budget.usedBytes >= 40_000 && budget.usedBytes <= 50_000)
        }
        #expect(budget.usedBytes == 0)
    }

    @Test("a small body reserves no more than a step, and only up to its bound")
    func steps() {
        let budget = ReplayBudget(limit: 1_000_000)
        let small = ReplayBuffer(limit: 100_000, budget: budget)
        small.append(bytes(10).span)
        #expect(budget.usedBytes <= 16 * 1024)
        let bounded = ReplayBuffer(limit: 100, budget: ReplayBudget(limit: 100))
        bounded.append(bytes(100).span)
        #expect(bounded.state == .filling)
    }

    @Test("an empty body is complete at once, with its trailers")
    func empty() {
        var trailers = Fields()
        trailers.append("X", "y")
        let buffer = ReplayBuffer(limit: 0, budget: ReplayBudget(limit: 0))
        buffer.finish(trailers: trailers)
        #expect(buffer.state == .complete)
        #expect(buffer.trailers?.count == 1)
    }
}
