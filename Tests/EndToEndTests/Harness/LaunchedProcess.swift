import Foundation

/// How a process ended.
enum ExitStatus: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
}

struct LaunchFailed: Error, CustomStringConvertible {
    let description: String
}

/// A child process: started from an argument array, both outputs captured, ended by its process id alone and always
/// waited for. It inherits no descriptor but its three, and exactly the environment it is given.
final class LaunchedProcess: @unchecked Sendable {
    let name: String
    let pid: pid_t
    let output: Capture
    let errors: Capture
    private let lock = NSLock()
    private var status: ExitStatus?

    /// There is no pipe2 here, so a pipe is open to inheritance for a moment: no other process may start meanwhile.
    private static let spawning = NSLock()

    init(_ name: String, executable: String, arguments: [String], environment: [String: String]) throws {
        Self.spawning.lock()
        defer { Self.spawning.unlock() }
        let output = try Self.pipe()
        let errors = try Self.pipe()
        defer {
            close(output.writer)
            close(errors.writer)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writer, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.writer, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        sigdelset(&all, SIGKILL)
        sigdelset(&all, SIGSTOP)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var argv = ([executable] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var id: pid_t = 0
        let result = posix_spawnp(&id, executable, &actions, &attributes, &argv, &envp)
        guard result == 0 else {
            close(output.reader)
            close(errors.reader)
            throw LaunchFailed(description: "\(executable): \(String(cString: strerror(result)))")
        }
        self.name = name
        pid = id
        self.output = Capture(reading: output.reader)
        self.errors = Capture(reading: errors.reader)
        Thread.detachNewThread { [self] in
            let child = pid
            var information = siginfo_t()
            while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
            lock.withLock {
                // Reaped under the lock: until then the process id belongs to this child, and `send` reaches no other.
                var raw: Int32 = 0
                while waitpid(child, &raw, 0) < 0 && errno == EINTR {}
                let signal = raw & 0x7f
                status = signal == 0 ? .exited((raw >> 8) & 0xff) : .signalled(signal)
            }
        }
    }

    /// Nil while it runs.
    var exitStatus: ExitStatus? { lock.withLock { status } }

    func send(signal: Int32) { lock.withLock { if status == nil { _ = kill(pid, signal) } } }

    /// Waits for the end, and for the end of both outputs.
    @discardableResult
    func exit(within limit: Duration = .seconds(60)) async throws -> ExitStatus {
        let status = try await eventually("\(name) (\(pid)) is still running", within: limit) { exitStatus }
        _ = try await eventually("the outputs of \(name) are still open", within: .seconds(30)) {
            output.hasEnded && errors.hasEnded ? true : nil
        }
        return status
    }

    /// Ends it, politely at first.
    func stop() async {
        send(signal: SIGTERM)
        if (try? await exit(within: .seconds(10))) != nil { return }
        send(signal: SIGKILL)
        _ = try? await exit(within: .seconds(5))
    }

    private static func pipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
            throw LaunchFailed(description: "pipe: errno \(errno)")
        }
        return (ends[0], ends[1])
    }
}
