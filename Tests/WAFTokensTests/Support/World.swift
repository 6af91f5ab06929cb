import Telemetry

@testable import WAFTokens

/// One provider with a manual clock, a manual source and an executor that runs only in `settle`.
final class World {
    let clock = ManualClock()
    let loop = TestLoop()
    let source: ManualSource
    let provider: WAFTokenProvider
    let jar = CookieJar()
    /// False where the test is about the end of the provider's life itself.
    var stopsAtEnd = true
    private let noted = Lock<[ProviderNote]>([])

    init(
        checkInterval: Duration? = nil, defaultImmunity: Duration? = .seconds(300),
        _ configure: (inout WAFConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = WAFConfiguration(domainName: "shop.test")
        configuration.fetchBudgetPerMinute = 0
        configure(&configuration)
        source = ManualSource(clock, defaultImmunity: defaultImmunity, checkInterval: checkInterval)
        var environment = ProviderEnvironment()
        environment.now = { [clock] in clock.now }
        environment.sleep = { [clock] in await clock.sleep($0) }
        environment.executor = loop
        environment.seed = 1
        environment.cookieStorage = jar
        environment.observe = { [noted] note in noted.withLock { $0.append(note) } }
        provider = try WAFTokenProvider(configuration, source: source, environment: environment)
    }

    /// Leaves no task behind that never ends.
    deinit {
        guard stopsAtEnd else { return }
        loop.spawn { [provider] in await provider.stop() }
        loop.run()
    }

    /// As the other, started, and its first token "one" got at the clock's start.
    static func warm(
        checkInterval: Duration? = nil, defaultImmunity: Duration? = .seconds(300),
        _ configure: (inout WAFConfiguration) -> Void = { _ in }
    ) throws -> World {
        let world = try World(checkInterval: checkInterval, defaultImmunity: defaultImmunity, configure)
        world.start()
        world.answer(.token("one"))
        return world
    }

    var now: Duration { clock.now.monotonic }
    var notes: [ProviderNote] { noted.withLock { $0 } }
    var ready: String? { provider.readyToken()?.token.getValue() }
    var status: ProviderStatus? { wait { [provider] in await provider.status() } }

    /// Lets everything run that can.
    func settle() { loop.run() }

    func start() { run { [provider] in await provider.start() } }

    func run(_ body: @escaping @Sendable () async -> Void) {
        loop.spawn(body)
        settle()
    }

    /// Runs what ends without time going by.
    func wait<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
        let pending = loop.spawn(body)
        settle()
        return pending.value
    }

    func answer(_ answer: ManualSource.Answer) {
        source.answer(answer)
        settle()
    }

    /// Lets time go by, from one timer to the next.
    func pass(_ duration: Duration) {
        let end = now + duration
        settle()
        while let next = clock.nextDeadline, next <= end {
            clock.move(to: next)
            settle()
        }
        clock.move(to: end)
        settle()
    }

    /// Time goes by with a request every second.
    func passBusily(_ duration: Duration) {
        let end = now + duration
        while now < end {
            _ = provider.readyToken()
            pass(min(.seconds(1), end - now))
        }
    }

    func request(within: Duration? = nil, needsLife: Bool = false) -> Pending<TokenOutcome> {
        let pending = loop.spawn { [provider] in await provider.tokenForRequest(within: within, needsLife: needsLife) }
        settle()
        return pending
    }

    func adopt(_ text: String, overTLS: Bool) -> Bool? {
        wait { [provider] in await provider.adopt(Array(text.utf8), overTLS: overTLS) }
    }

    func challenge(_ generation: UInt64, within: Duration? = nil) -> Pending<TokenOutcome> {
        let pending = loop.spawn { [provider] in await provider.newerToken(than: generation, within: within) }
        settle()
        return pending
    }
}

extension Pending<TokenOutcome> {
    /// The token's text.
    var token: String? { value?.snapshot?.token.getValue() }
    var reason: ReasonCode? { value?.reason }
}

final class CookieJar: CookieStorage {
    private let all = Lock<[TokenCookie]>([])
    var cookies: [TokenCookie] { all.withLock { $0 } }
    func store(_ cookie: TokenCookie) { all.withLock { $0.append(cookie) } }
}
