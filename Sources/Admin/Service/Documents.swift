internal import EventLoop
internal import Proxy
internal import Telemetry
internal import WAFTokens

/// `GET /readyz`: whether clients would be served well. Pure.
struct Readiness: Sendable, Equatable {
    let isListening: Bool
    /// Nothing to wait for as long as nothing is intercepted.
    let hasAuthority = true
    /// By provider's name.
    let tokens: [(name: String, isReady: Bool)]

    init(isListening: Bool, _ statuses: [ProviderStatus]) {
        self.isListening = isListening
        tokens = statuses.map { ($0.name, $0.isReady) }
    }

    var isReady: Bool { isListening && hasAuthority && tokens.allSatisfy(\.isReady) }

    /// `{"ready":…,"conditions":{"listener":…,"ca":…,"token":{NAME:…}}}`
    var answer: AdminAnswer {
        let token = JSONValue.object(
            tokens.map { JSONValue.Member(name: Array($0.name.utf8), value: .bool($0.isReady)) })
        let conditions = JSONValue.members([
            "listener": .bool(isListening), "ca": .bool(hasAuthority), "token": token,
        ])
        return AdminAnswer(
            .members(["ready": .bool(isReady), "conditions": conditions]), status: isReady ? 200 : 503)
    }

    static func == (left: Readiness, right: Readiness) -> Bool { left.answer == right.answer }
}

extension AdminService {
    /// `GET /v1/status`
    func statusDocument() async -> JSONValue {
        let counters = counters()
        let providers = providers
        let statuses = await Self.statuses(of: providers)
        return .members([
            "version": .text(version),
            "uptimeSec": .seconds(EventLoop.preciseNow - started),
            "listen": .array(listen.map { .text("\($0)") }),
            "providers": .array(
                zip(statuses, providers).map { ProviderDocument.status($0, hosts: $1.hosts) }),
            "counters": .members([
                "connections": .integer(counters.connections), "tunnels": .integer(counters.tunnels),
            ]),
        ])
    }
}

/// A provider as operators see it.
enum ProviderDocument {
    static func status(_ status: ProviderStatus, hosts: [String]) -> JSONValue {
        .members([
            "name": .text(status.name),
            "state": .text(status.state.rawValue),
            "ready": .bool(status.isReady),
            "active": .bool(status.isActive),
            "token": .maybe(status.token, held),
            "lastFetch": .maybe(status.lastFetch, fetch),
            "fetches": .object(
                FetchRecord.Outcome.allCases.map {
                    JSONValue.Member(name: Array($0.rawValue.utf8), value: .integer(status.fetches[$0] ?? 0))
                }),
            "nextRefreshSec": .maybe(status.nextRefresh, JSONValue.seconds),
            "waiting": .integer(status.waiting),
            "budgetTrips": .integer(status.budgetTrips),
            "hosts": .array(hosts.map { .text($0) }),
        ])
    }

    /// The short form, and with `revealing` the value itself, null where none is good.
    static func token(_ status: ProviderStatus, revealing token: WAFToken?? = nil) -> JSONValue {
        var members: [JSONValue.Member] = [
            JSONValue.Member(name: Array("name".utf8), value: .text(status.name)),
            JSONValue.Member(name: Array("state".utf8), value: .text(status.state.rawValue)),
            JSONValue.Member(name: Array("token".utf8), value: .maybe(status.token, held)),
        ]
        if let token {
            let value = JSONValue.maybe(token) { .text($0.getValue()) }
            members.append(JSONValue.Member(name: Array("value".utf8), value: value))
        }
        return .object(members)
    }

    private static func held(_ token: ProviderStatus.Token) -> JSONValue {
        .members([
            "fingerprint": .text(token.fingerprint), "generation": .integer(token.generation),
            "ageSec": .seconds(token.age), "expiresInSec": .maybe(token.expiresIn, JSONValue.seconds),
        ])
    }

    private static func fetch(_ fetch: FetchRecord.Last) -> JSONValue {
        let error = fetch.error.map { error in fetch.detail.map { "\(error): \($0)" } ?? "\(error)" }
        return .members([
            "at": .text(WallClock(milliseconds: fetch.at.wholeMilliseconds).rfc3339),
            "outcome": .text(fetch.outcome.rawValue),
            "tookSec": .seconds(fetch.took),
            "error": .maybe(error) { .text($0) },
        ])
    }
}

extension JSONValue {
    /// `GET /v1/explain`; `status` of the provider that the host is listed for.
    static func explanation(_ explanation: Explanation, _ status: ProviderStatus?) -> JSONValue {
        .members([
            "target": .text(explanation.target),
            "dialled": .text(explanation.dialled),
            "route": .text(explanation.route.rawValue),
            "provider": .maybe(explanation.provider) { .text($0) },
            "token": .bool(explanation.getsToken),
            "reason": .text(explanation.reason.rawValue),
            "message": .text(explanation.sentence),
            "providerState": .maybe(status) { .text($0.state.rawValue) },
        ])
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
