internal import Glibc

/// The limit of open descriptors of this process (getrlimit(2), RLIMIT_NOFILE).
public enum DescriptorLimit {
    /// Raises the soft limit as far as the hard limit and `wanted` allow; returns what holds then.
    @discardableResult
    public static func raise(to wanted: Int = 1 << 20) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let target = min(limit.rlim_max, rlim_t(wanted))
        if limit.rlim_cur < target {
            limit.rlim_cur = target
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
