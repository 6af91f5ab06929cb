public import Credentials
internal import EventLoop
internal import HTTP
internal import TLS
internal import Telemetry

/// Those who may use the proxy (`access.proxyUsersFile`), and what has been verified of them. Any thread.
///
/// A hash that protects a password takes long on purpose, so each credential is verified once: what is remembered is its
/// code under a key that nobody else has. One verification runs at a time, on no loop's thread, and whoever shows the
/// same credential meanwhile waits for the same.
public final class ProxyUsers: Sendable {
    /// What a request's `Proxy-Authorization` is worth.
    enum Verdict: Sendable, Equatable {
        case admitted
        case missing
        case wrong
        /// More is being verified than anybody should ask for.
        case busy
    }

    private let table: UserTable
    private let key = SecureRandom.bytes(32)
    private let memory = Lock(Memory())

    private struct Memory {
        /// By the code of the field's value.
        var known: [Digest: Bool] = [:]
        var pending: [Digest: Task<Bool, Never>] = [:]
        var last: Task<Bool, Never>?
    }

    static let memoryLimit = 4096
    static let pendingLimit = 64

    public init(_ table: UserTable) {
        self.table = table
    }

    /// What is known of the fields' credential already; nil: it has to be verified.
    func known(_ fields: borrowing Fields) -> Verdict? {
        guard let index = fields.index(of: .proxyAuthorization) else { return .missing }
        guard !fields.isRepeated(.proxyAuthorization) else { return .wrong }
        let code = code(fields.value(index))
        return memory.withLock { $0.known[code] }.map { $0 ? .admitted : .wrong }
    }

    /// Verifies the fields' credential. On `loop`.
    func verify(_ fields: borrowing Fields, on loop: EventLoop) async -> Verdict {
        guard let index = fields.index(of: .proxyAuthorization) else { return .missing }
        let code = code(fields.value(index))
        guard let credentials = BasicCredentials(fields.value(index)) else { return .wrong }
        guard let task = task(for: code, credentials, on: loop) else { return .busy }
        return await task.value ? .admitted : .wrong
    }

    private func code(_ value: Span<UInt8>) -> Digest { HMACSHA256.code(for: value, key: key) }

    /// The verification of this credential that is under way, or a new one behind the others; nil where there are too many.
    private func task(for code: Digest, _ credentials: BasicCredentials, on loop: EventLoop) -> Task<Bool, Never>? {
        memory.withLock { memory in
            if let pending = memory.pending[code] { return pending }
            guard memory.pending.count < Self.pendingLimit else { return nil }
            let before = memory.last
            let task = Task.detached(executorPreference: loop) { [self] in
                _ = await before?.value
                let isGood = await BlockingWork.run(on: loop) { [table] in table.admits(credentials) }
                remember(code, isGood)
                return isGood
            }
            memory.pending[code] = task
            memory.last = task
            return task
        }
    }

    private func remember(_ code: Digest, _ isGood: Bool) {
        memory.withLock { memory in
            memory.pending[code] = nil
            if memory.pending.isEmpty { memory.last = nil }
            // Only wrong ones can be many: they make room.
            if memory.known.count >= Self.memoryLimit { memory.known = memory.known.filter(\.value) }
            if memory.known.count < Self.memoryLimit { memory.known[code] = isGood }
        }
    }
}
