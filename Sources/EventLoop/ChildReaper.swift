internal import Glibc
internal import Telemetry

/// Takes the status of children that are nobody's: what a process with the number 1 inherits from others that end, and
/// has to wait for, lest their entries fill the table of processes (wait(2), "zombie").
///
/// Children of `ChildProcess` are libuv's to wait for and are left alone.
public enum ChildReaper {
    private static let ours = Lock<Set<pid_t>>([])

    /// Starts a child so that nobody takes its status before it is known as ours. `start` gives its number, 0 for none.
    static func starting(_ start: () -> pid_t) {
        ours.withLock { ours in
            let pid = start()
            if pid > 0 { ours.insert(pid) }
        }
    }

    /// libuv has taken its status.
    static func ended(_ pid: pid_t) {
        ours.withLock { _ = $0.remove(pid) }
    }

    /// Takes the status of every child that has ended and is not ours. To be called at SIGCHLD. False: one of ours has
    /// ended, and libuv has not waited for it yet; only when it has can others be seen, so call it again.
    public static func reap() -> Bool {
        ours.withLock { ours in
            while true {
                var information = siginfo_t()
                guard waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0 else { return true }
                let pid = information._sifields._sigchld.si_pid
                if pid == 0 { return true }
                if ours.contains(pid) { return false }
                waitpid(pid, nil, WNOHANG)
            }
        }
    }
}
