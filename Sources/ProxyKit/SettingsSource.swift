public import Settings

/// Where the settings of a running proxy come from, so that it can read them again.
public struct SettingsSource: Sendable {
    /// What reading came to.
    public enum Reading: Sendable {
        /// Whole and without a fault.
        case settings(EffectiveSettings, warnings: [String])
        /// One line for each.
        case faults([String])
    }

    let read: @Sendable () -> Reading
    let changeLog: @Sendable (LogSettings) -> Void

    /// `read` may block. `changeLog` is called with settings that now hold.
    public init(
        read: @escaping @Sendable () -> Reading, changeLog: @escaping @Sendable (LogSettings) -> Void = { _ in }
    ) {
        self.read = read
        self.changeLog = changeLog
    }
}

/// What came of reading the settings again.
public enum ReloadOutcome: Sendable, Equatable {
    /// They hold. `changed` names the settings, by the first part of their keys.
    case done(changed: [String], warnings: [String])
    /// What held before still holds; why, one line for each fault.
    case refused([String])
}
