/// A configuration after profile, defaults and source have been applied: what the machine goes by.
struct ProviderRules: Sendable {
    var refreshesInBackground = true
    var refreshDelay: Duration = .seconds(88)
    var retry = RetrySchedule(ceiling: .seconds(5), jitter: .none, limit: nil)
    /// Age after which a token is expired where the source does not say; nil: never.
    var immunity: Duration? = .seconds(300)
    var fetchTimeout: Duration = .seconds(10)
    /// How often a source that can change under our feet is asked whether it did.
    var checkInterval: Duration?
    var keepWarm = false
    /// 0: no cap.
    var fetchesPerMinute = 60
    var whenNoToken = WAFConfiguration.WhenNoToken.hold
    var hold: Duration = .seconds(5)

    /// How long a request waits that has no token yet.
    var holdForRequest: Duration {
        switch whenNoToken {
        case .hold: hold
        case .closed, .open: .zero
        }
    }
}
