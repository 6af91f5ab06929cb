import Telemetry
import Testing

@testable import WAFTokens

/// Real threads: for ThreadSanitizer, and for waiters that nobody may lose.
struct ConcurrencyTests {
    /// Answers at once, now and then with a failure, always with another token.
    private final class BusySource: TokenSource {
        private let calls = Lock((count: 0, underWay: 0, most: 0))
        var most: Int { calls.withLock { $0.most } }
        /// A machine that is busy with other tests must not look like a source that hangs.
        var timeout: Duration { .seconds(600) }

        func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer {
            let number = calls.withLock { calls in
                calls.count += 1
                calls.underWay += 1
                calls.most = max(calls.most, calls.underWay)
                return calls.count
            }
            await Task.yield()
            calls.withLock { $0.underWay -= 1 }
            if number % 7 == 0 { throw SourceError(.errorInvokingVerifyEndpoint, "now and then") }
            do throws(WAFToken.Fault) { return SourceAnswer(token: try WAFToken("token-\(number)")) } catch {
                throw SourceError(.internalError, "\(error)")
            }
        }
    }

    @Test("Requests, challenges, loads and cancellations from many threads: everybody has an answer")
    func storm() async throws {
        var configuration = WAFConfiguration(domainName: "shop.test")
        configuration.fetchBudgetPerMinute = 0
        configuration.maxErrorTokenRefreshDelayMsec = 1
        let source = BusySource()
        let provider = try WAFTokenProvider(configuration, source: source)
        await provider.start()
        let loaded = try WAFToken("loaded")
        let answers = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var answers = 0
                    for step in 0..<200 {
                        switch (worker + step) % 5 {
                        case 0: _ = provider.readyToken()
                        case 1: _ = await provider.tokenForRequest()
                        case 2: _ = await provider.newerToken(than: provider.readyToken()?.generation ?? 0)
                        case 3:
                            let task = Task { await provider.newerToken(than: .max) }
                            task.cancel()
                            _ = await task.value
                        default: if step % 50 == 0 { await provider.loadTokenIntoProvider(loaded) }
                        }
                        answers += 1
                    }
                    return answers
                }
            }
            return await group.reduce(0, +)
        }
        #expect(answers == 1600)
        #expect(await provider.status().waiting == 0)
        await provider.stop()
    }

    @Test("A thousand real tasks that wait for the first token share one fetch")
    func herd() async throws {
        let source = BusySource()
        let provider = try WAFTokenProvider(WAFConfiguration(domainName: "shop.test"), source: source)
        let tokens = await withTaskGroup(of: TokenOutcome.self) { group in
            for _ in 0..<1000 { group.addTask { await provider.tokenForRequest(within: .seconds(600)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tokens.allSatisfy { $0.snapshot?.token.getValue() == "token-1" })
        #expect(source.most == 1)
        await provider.stop()
    }

    @Test("The sequence of tokens can be left by cancelling its task")
    func leaveSequence() async throws {
        let provider = try WAFTokenProvider(WAFConfiguration(domainName: "shop.test"), source: BusySource())
        let reader = Task {
            var count = 0
            for await _ in provider.tokens { count += 1 }
            return count
        }
        _ = await provider.tokenForRequest()
        reader.cancel()
        #expect(await reader.value >= 0)
        await provider.stop()
    }
}
