internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// What the judged answer leads to. Pure; the phase below acts on it.
enum Judgement: Equatable {
    /// The answer is the client's.
    case passOn(ReasonCode?)
    /// A newer token is to be got and the request sent again.
    case replay

    /// `hasCopy`: the request has no body, or its copy is, or can still become, whole.
    static func of(
        _ verdict: ChallengeVerdict, replays: Int, maxReplays: Int, isUpgrade: Bool, hasCopy: Bool
    ) -> Judgement {
        switch verdict {
        case .none: .passOn(nil)
        case .captcha: .passOn(.captcha)
        case .blocked: .passOn(.blocked)
        case .challenge:
            if isUpgrade || maxReplays == 0 {
                .passOn(.replayNotPossible)
            } else if replays >= maxReplays {
                .passOn(.challengedAgain)
            } else if !hasCopy {
                .passOn(.replayBodyTooLarge)
            } else {
                .replay
            }
        }
    }
}

/// Phases *judge* and *refresh and replay*.
extension RequestContext {
    /// Only requests to listed hosts that carried our token, or would have but for the policy, are judged.
    var isJudged: Bool {
        if case .none = attachment { false } else { true }
    }

    func sendAndJudge(_ route: Route) async throws(RefusalError) -> ClientConnection.Fate {
        var request = makeOutbound(for: route)
        startBody()
        while true {
            // It may have left while the request waited for a token.
            if connection.stream.isBroken { throw RefusalError(.clientGone) }
            let asked = EventLoop.preciseNow
            let exchange = send(request)
            self.exchange = exchange
            do throws(UpstreamError) { try await exchange.responseHead() } catch {
                throw RefusalError(refusal(for: error))
            }
            record.upstreamMicroseconds = (EventLoop.preciseNow - asked).wholeMicroseconds
            guard isJudged else {
                if exchange.head.status == 202 { hintAtChallenge(exchange.head, route) }
                break
            }
            let verdict = ChallengeDetector.judge(exchange.head)
            record.verdict = verdict.logged
            let judgement = Judgement.of(
                verdict, replays: record.replays, maxReplays: configuration.maxReplays,
                isUpgrade: head.upgradesToWebSocket, hasCopy: pump?.canReplay ?? true)
            switch judgement {
            case .passOn(let reason):
                note = reason
                if verdict == .challenge, record.replays == 0 { await seekNewerToken(route) }
            case .replay:
                if let token = await newerToken(route) {
                    exchange.cancel()
                    attach(token, to: &request, route)
                    record.replays += 1
                    continue
                }
            }
            if verdict == .challenge, configuration.onUnresolvedChallenge == .error {
                throw RefusalError(.unresolvedChallenge(note ?? .challengedAgain))
            }
            break
        }
        return await streamAnswer()
    }

    /// A challenge of a request that no token belonged on: the client's, but the operator may want to know.
    private func hintAtChallenge(_ answer: borrowing ResponseHead, _ route: Route) {
        guard ChallengeDetector.judge(answer) == .challenge else { return }
        worker.shared.hints.challenged(
            route.authority, provider: route.provider?.provider.name,
            route.provider?.policy.belonging(on: head, isVerified: rules.isVerified(route)))
    }

    /// A challenged request that cannot be sent again still tells that its token is used up: the next one needs a newer.
    private func seekNewerToken(_ route: Route) async {
        guard let provider = route.provider?.provider else { return }
        _ = await provider.newerToken(than: sentGeneration, within: .zero)
    }

    /// 0 where the request carried no token.
    private var sentGeneration: UInt64 {
        if case .token(let sent) = attachment { sent.generation } else { 0 }
    }

    /// A token newer than the one that was challenged, once the body's copy is whole; nil, with `note` set, otherwise.
    private func newerToken(_ route: Route) async -> TokenSnapshot? {
        guard let provider = route.provider else { return nil }
        if let pump, !pump.hasReadNothing {
            await pump.collect()
            guard pump.isWhole, pump.canReplay else {
                note = pump.canReplay ? .replayNotPossible : .replayBodyTooLarge
                return nil
            }
        }
        switch await provider.provider.newerToken(than: sentGeneration, within: provider.policy.holdForReplay) {
        case .token(let snapshot):
            // A body of which nothing had come may have outgrown the copy meanwhile.
            if pump?.canReplay ?? true { return snapshot }
            note = .replayBodyTooLarge
            return nil
        case .none(let reason):
            note = reason
            return nil
        }
    }

    private func attach(_ token: TokenSnapshot, to request: inout OutboundRequest, _ route: Route) {
        guard let policy = route.provider?.policy else { return }
        attachment = .token(token)
        policy.attach(token.token, to: &request.fields)
        request.requiresPrivatePeer = carriesSecretInClear(route)
    }
}

extension AttachPolicy {
    /// How long a challenged request waits for a newer token: as long as one without a token would.
    fileprivate var holdForReplay: Duration {
        if case .hold(let limit) = whenNoToken { limit } else { .seconds(5) }
    }
}
