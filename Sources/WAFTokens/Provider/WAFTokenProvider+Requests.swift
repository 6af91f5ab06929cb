/// For a proxy, or whoever else puts tokens on requests.
extension WAFTokenProvider {
    /// A token for a request that found none ready. Makes the provider active, joins the fetch under way or starts one,
    /// and waits: `within`, or as long as `whenNoToken` and `holdMsec` say. On demand the request has a fetch of its own
    /// and waits `within` or, where that is zero or not given, `holdMsec`.
    ///
    /// `needsLife`: the request can be sent only once, so wait for a token with enough life left (see
    /// `TokenSnapshot.hasEnoughLife`). When the time is up, a token that is good, though not fresh, is given all the same.
    /// A cancelled task gets an answer at once.
    public func tokenForRequest(within: Duration? = nil, needsLife: Bool = false) async -> TokenOutcome {
        // On demand nothing is held beforehand: without a wait there would never be a token.
        let hold =
            rules.refreshesInBackground
            ? within ?? rules.holdForRequest : within.flatMap { $0 > .zero ? $0 : nil } ?? rules.hold
        return await ask { .requested($0, hold: hold, needsLife: needsLife) }
    }

    /// A token newer than the one that a challenged request carried: at once where there is one already, else from the
    /// one fetch that all who were challenged share. `than` 0: it carried none. Waits `within`, or `holdMsec`.
    ///
    /// `sourceReturnedSameToken` where the source gives the same value again: the challenge stays unresolved.
    public func newerToken(than generation: UInt64, within: Duration? = nil) async -> TokenOutcome {
        let hold = within ?? rules.hold
        return await ask { .challenged($0, than: generation, hold: hold) }
    }

    /// Takes a token that an origin set with `Set-Cookie`, as if a source had given it: over TLS only, and only a value
    /// that can be a token. Whether it was taken.
    @discardableResult
    public func adopt(_ value: some Collection<UInt8> & Sendable, overTLS: Bool) -> Bool {
        guard overTLS, let token = try? WAFToken(value) else { return false }
        startIfNeeded()
        tell(.adopted(token))
        return true
    }
}
