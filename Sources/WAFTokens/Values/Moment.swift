internal import Glibc

/// A reading of both clocks at once: monotonic for ages and deadlines, wall for what others stamp (file times, logs).
///
/// The distance between the two tells of a jump: a machine that slept, or a wall clock that was set.
public struct Moment: Sendable, Hashable {
    /// Since some fixed instant; does not count time asleep (`CLOCK_MONOTONIC`, clock_gettime(2)).
    public var monotonic: Duration
    /// Since 1970-01-01T00:00:00Z (`CLOCK_REALTIME`).
    public var wall: Duration

    /// A reading.
    public init(monotonic: Duration, wall: Duration) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// What the machine's clocks say now. Allocates nothing.
    public static func now() -> Moment {
        Moment(monotonic: read(CLOCK_MONOTONIC), wall: read(CLOCK_REALTIME))
    }

    /// Wall less monotonic.
    var offset: Duration { wall - monotonic }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return Duration(
            secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
    }
}
