import Testing

@testable import WAFTokens

struct FetchBudgetTests {
    @Test("A budget of 0 is no cap")
    func noBudget() {
        var budget = FetchBudget(limit: 0)
        for _ in 0..<1000 { #expect(budget.take(at: .zero) == .granted) }
    }

    @Test("The budget counts any 60 seconds, not calendar minutes")
    func slidingWindow() {
        var budget = FetchBudget(limit: 2)
        #expect(budget.take(at: .seconds(50)) == .granted)
        #expect(budget.take(at: .seconds(70)) == .granted)
        #expect(budget.take(at: .seconds(80)) == .refused(until: .seconds(110), trips: true))
        #expect(budget.take(at: .seconds(109)) == .refused(until: .seconds(110), trips: false))
        #expect(budget.take(at: .seconds(110)) == .granted)
        #expect(budget.take(at: .seconds(111)) == .refused(until: .seconds(130), trips: true))
        #expect(budget.trips == 2)
    }
}
