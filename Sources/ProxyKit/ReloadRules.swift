internal import Settings

/// What new settings change, and whether that can be done while the proxy runs. Pure.
struct ReloadRules {
    let old: EffectiveSettings
    let new: EffectiveSettings

    /// One line for each setting that only a restart can change; empty when all can be done.
    var faults: [String] {
        var faults: [String] = []
        func fixed<Value: Equatable>(_ key: String, _ path: KeyPath<EffectiveSettings, Value>) {
            guard old[keyPath: path] != new[keyPath: path] else { return }
            faults.append("\(key): cannot change while the proxy runs; a restart is needed")
        }
        fixed("listen", \.listen)
        fixed("threads", \.threads)
        fixed("admin.listen", \.admin.listen)
        fixed("admin.token", \.admin.token)
        fixed("flows.keep", \.flows.keep)
        fixed("flows.bodyBytes", \.flows.bodyBytes)
        fixed("challenge.replayBufferTotalBytes", \.challenge.replayBufferTotalBytes)
        fixed("intercept", \.intercept)
        return faults
    }

    /// The parts of the settings that differ, by the first part of their keys.
    var changed: [String] {
        var changed: [String] = []
        func part<Value: Equatable>(_ key: String, _ path: KeyPath<EffectiveSettings, Value>) {
            if old[keyPath: path] != new[keyPath: path] { changed.append(key) }
        }
        part("providers", \.providers)
        part("challenge", \.challenge)
        part("upstream", \.upstream)
        part("access", \.access)
        part("limits", \.limits)
        part("via", \.via)
        part("explain", \.explain)
        part("log", \.log)
        return changed
    }

    /// Whether connections to origins that stand could be such as are not allowed any more. Files with certificates
    /// may have changed under their names.
    var renewsUpstream: Bool {
        old.access.destinations != new.access.destinations || renewsFetcher
    }

    /// The same for the connections to token services, which the rules for clients' destinations do not concern.
    var renewsFetcher: Bool {
        old.upstream != new.upstream || new.upstream.caFile != nil || !new.upstream.clientCertificates.isEmpty
            || old.limits.responseHeadBytes != new.limits.responseHeadBytes
    }
}

extension AccessSettings {
    /// Without what concerns clients alone.
    fileprivate var destinations: AccessSettings {
        var copy = self
        copy.allowFrom = []
        copy.proxyUsersFile = nil
        copy.proxyUsers = nil
        return copy
    }
}
