extension WAFConfiguration.Profile {
    /// Allowed `tokenRefreshDelaySec`.
    var refreshDelay: ClosedRange<Int> {
        switch self {
        case .sdkCurrent: 88...300
        case .sdk2023: 300...600
        case .unrestricted: 1...86_400
        }
    }

    /// `tokenRefreshDelaySec` where none is given.
    var defaultRefreshDelay: Int {
        switch self {
        case .sdkCurrent, .unrestricted: 88
        case .sdk2023: 300
        }
    }

    /// Allowed `maxRetryCount`.
    var retryCount: ClosedRange<Int> {
        switch self {
        case .sdkCurrent: 0...100
        case .sdk2023: 0...10
        case .unrestricted: 0...1_000_000
        }
    }

    /// `maxRetryCount` where none is given; nil is unbounded.
    func defaultRetryCount(backgroundRefresh: Bool) -> Int? {
        switch self {
        case .sdkCurrent, .unrestricted: nil
        case .sdk2023: backgroundRefresh ? 5 : 3
        }
    }

    /// Allowed `maxErrorTokenRefreshDelayMsec`.
    var errorDelay: ClosedRange<Int> {
        switch self {
        case .sdkCurrent, .sdk2023: 1...30_000
        case .unrestricted: 1...86_400_000
        }
    }
}
