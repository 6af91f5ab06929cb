internal import EventLoop
internal import Glibc
internal import TLS
internal import Telemetry

/// Where the authority of one constraint set is kept: `DIRECTORY/FINGERPRINT/authority.pem`, one file with key and
/// certificates, so that they always belong together.
///
/// Sets of hosts have a folder each: rigs on one machine do not take each other's trust away. A lock is held only while
/// an authority is made: processes that start at once come to the same one.
struct AuthorityFolder {
    private let folder: String
    private let file: WholeFile
    private let constraints: NameConstraints?

    /// One with less time left is made anew, in seconds.
    static let renewal = 30 * 86_400

    init(directory: String, constraints: NameConstraints?) {
        self.constraints = constraints
        folder = "\(directory)/\(constraints?.fingerprint ?? "unconstrained")"
        file = WholeFile(path: "\(folder)/authority.pem")
    }

    func open(now: Int) throws(RunningProxy.Failure) -> OpenedAuthority {
        let found = try read()
        if let found, Self.isFresh(found, now) { return opened(found, .kept) }
        let lock: Int32?
        do throws(SystemError) {
            try makeFolder()
            lock = try takeLock()
        } catch {
            return try makeDo(with: found, cannotWrite(error), now)
        }
        guard let lock else { return try makeDo(with: found, isLocked, now) }
        defer { close(lock) }
        // Another process may have been here first.
        let kept = try read()
        if let kept, Self.isFresh(kept, now) { return opened(kept, .kept) }
        let made = try AuthorityStore.make(constraints, now: now)
        do throws(SystemError) {
            try file.write(try Self.text(of: made))
        } catch {
            return try makeDo(with: kept, cannotWrite(error), now)
        }
        return opened(made, kept == nil ? .created : .renewed)
    }

    private func opened(
        _ authority: InterceptionAuthority, _ event: OpenedAuthority.Event, _ warnings: [String] = []
    ) -> OpenedAuthority {
        OpenedAuthority(
            place: .file(file.path), event: event, warnings: warnings, authority: authority, constraints: constraints)
    }

    private static func isFresh(_ authority: InterceptionAuthority, _ now: Int) -> Bool {
        (authority.notBefore..<(authority.notAfter - renewal)).contains(now)
    }

    /// One that cannot be renewed yet is good for a while; the next start tries again.
    private func makeDo(
        with kept: InterceptionAuthority?, _ problem: String, _ now: Int
    ) throws(RunningProxy.Failure) -> OpenedAuthority {
        guard let kept, (kept.notBefore..<kept.notAfter).contains(now) else { throw .settings(problem) }
        let end = CalendarDay.text(kept.notAfter)
        return opened(kept, .kept, ["the certificate authority ends on \(end), and its renewal failed: \(problem)"])
    }

    private func cannotWrite(_ error: SystemError) -> String {
        "cannot write the certificate authority to \(Escaper.escape(file.path)) as user \(geteuid()): \(error); "
            + "let --ca-directory name a directory that this user can write in, or take --ca-ephemeral"
    }

    private var isLocked: String {
        "another process has held \(Escaper.escape(folder))/lock for \(Self.patienceSec) s, as if it were making a "
            + "certificate authority there: end that process, let --ca-directory name another directory, or take "
            + "--ca-ephemeral"
    }

    // MARK: The file

    /// What is kept; nil for nothing. What cannot be trusted or used is never replaced without being asked for.
    private func read() throws(RunningProxy.Failure) -> InterceptionAuthority? {
        let path = Escaper.escape(file.path)
        let content: WholeFile.Content?
        do throws(SystemError) {
            content = try file.read()
        } catch {
            throw .settings(
                "cannot read the certificate authority in \(path) as user \(geteuid()): \(error); give the file to "
                    + "this user, let --ca-directory name another directory, or take --ca-ephemeral")
        }
        guard let content else { return nil }
        guard content.owner == geteuid() || content.owner == 0 else {
            throw .settings(
                "\(path) belongs to user \(content.owner), not to user \(geteuid()): let --ca-directory name a "
                    + "directory of this user's")
        }
        guard content.mode & 0o077 == 0 else {
            throw .settings(
                "\(path) has mode \(String(content.mode, radix: 8)): others may have read the authority's key; delete "
                    + "the file to have a new one made, or `chmod 600` it if nobody has")
        }
        do throws(TLSError) {
            return try InterceptionAuthority(certificatePEM: content.text, keyPEM: content.text)
        } catch {
            throw .settings(
                "\(path) holds no certificate authority (\(error.detail)): delete it to have a new one made")
        }
    }

    private static func text(of authority: InterceptionAuthority) throws(SystemError) -> String {
        do throws(TLSError) {
            return try authority.keyPEM() + authority.certificatePEM()
        } catch {
            throw SystemError(errno: ENOMEM, in: "PEM")
        }
    }

    // MARK: The folder

    private func makeFolder() throws(SystemError) {
        var place = folder.startIndex
        while place < folder.endIndex {
            place = folder[folder.index(after: place)...].firstIndex(of: "/") ?? folder.endIndex
            if mkdir(String(folder[..<place]), 0o700) != 0, errno != EEXIST {
                // Where the parent is there all the same, the last part says what is wrong.
                let error = SystemError(errno: errno, in: "mkdir")
                if place == folder.endIndex || access(String(folder[..<place]), F_OK) != 0 { throw error }
            }
        }
    }

    /// How long a turn is waited for: a process that was stopped while it held the lock must not hang all others.
    private static let patienceSec = 5

    /// Waits for its turn; nil where that does not come. The lock goes with the descriptor (flock(2)).
    private func takeLock() throws(SystemError) -> Int32? {
        let descriptor = Glibc.open("\(folder)/lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(errno: errno, in: "open") }
        for _ in 0..<Self.patienceSec * 100 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            guard errno == EWOULDBLOCK || errno == EINTR else {
                let error = SystemError(errno: errno, in: "flock")
                close(descriptor)
                throw error
            }
            usleep(10_000)
        }
        close(descriptor)
        return nil
    }
}
