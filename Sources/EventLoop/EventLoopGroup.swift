internal import CUV

/// The loops of one process, started together.
public final class EventLoopGroup: Sendable {
    public let loops: [EventLoop]

    /// Starts `count` loops; 0 means one per core that this process may use (sched_getaffinity(2)).
    public init(count: Int, name: String = "loop") throws(SystemError) {
        let wanted = count > 0 ? count : Self.usableCores
        var loops: [EventLoop] = []
        for index in 0..<wanted {
            loops.append(try EventLoop(name: "\(name)-\(index)"))
        }
        self.loops = loops
        for loop in loops { loop.start() }
    }

    /// Ends every loop and waits for its thread. Not to be called on one of them.
    public func stop() {
        for loop in loops { loop.stop() }
    }

    /// How many cores the scheduler gives this process; at least 1.
    public static var usableCores: Int {
        max(Int(uv_available_parallelism()), 1)
    }
}
