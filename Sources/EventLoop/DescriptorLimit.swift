internal import Glibc

/// The limit of open descriptors of this process (getrlimit(2), RLIMIT_NOFILE).
public enum DescriptorLimit {
    /// With fewer descriptors no program of ours can start; with few more it says what it cannot do.
    public static let least = 40

    /// Raises the soft limit as far as the hard limit and `wanted` allow; returns what holds then.
    @discardableResult
    public static func raise(to wanted: Int = 1 << 20) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        _ = initial  // before it changes
        let target = min(limit.rlim_max, rlim_t(wanted))
        if limit.rlim_cur < target {
            limit.rlim_cur = target
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Runs `body` under the soft limit that this process was started with, for a program that it starts: some walk over
    /// all numbers below the limit, and select(2) knows 1024. Descriptors that are open stay so.
    static func withInitial<Result>(_ body: () -> Result) -> Result {
        var now = rlimit()
        guard var limit = initial, getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &now) == 0 else {
            return body()
        }
        limit.rlim_max = now.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        defer { _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &now) }
        return body()
    }

    private static let initial: rlimit? = {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }()
}
