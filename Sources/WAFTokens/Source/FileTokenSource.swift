internal import Telemetry

/// A file that others replace, atomically: its content is the token, or the JSON answer.
///
/// Reading, looking and watching are closures that are handed in. The directory is to be watched, not the file (a
/// Kubernetes `..data` swap and a second rename are missed by watching the file); the stamp is compared by timer, too.
public struct FileTokenSource: TokenSource {
    /// By which a replaced file is known.
    public struct Stamp: Sendable, Hashable {
        /// Device and inode after following links (stat(2)).
        public var device, inode: UInt64
        /// Modification time since 1970.
        public var modifiedAt: Duration
        /// Bytes.
        public var size: Int64

        /// A stamp.
        public init(device: UInt64, inode: UInt64, modifiedAt: Duration, size: Int64) {
            self.device = device
            self.inode = inode
            self.modifiedAt = modifiedAt
            self.size = size
        }
    }

    /// What may be done with the file. None blocks for long.
    public struct Access: Sendable {
        /// The file's first `limit` + 1 bytes and the stamp of the file that was opened. Throws `internalError`.
        public var read: @Sendable (_ path: String, _ limit: Int) throws(SourceError) -> (bytes: [UInt8], stamp: Stamp)
        /// The stamp of what is at the path now; nil where there is nothing to be seen.
        public var look: @Sendable (_ path: String) -> Stamp?
        /// Calls back, on any thread, on each change in the directory of `path`, until the returned closure is called.
        public var watch:
            @Sendable (_ path: String, _ onChange: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?

        /// Ways to a file.
        public init(
            read: @escaping @Sendable (String, Int) throws(SourceError) -> (bytes: [UInt8], stamp: Stamp),
            look: @escaping @Sendable (String) -> Stamp?,
            watch: @escaping @Sendable (String, @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?
        ) {
            self.read = read
            self.look = look
            self.watch = watch
        }
    }

    private let path: String
    private let access: Access
    /// What the last fetch saw.
    private let seen = Lock<Stamp?>(nil)

    /// How often the stamp is compared while the provider is active.
    public let checkInterval: Duration?

    /// A source that reads `path`.
    public init(path: String, checkInterval: Duration = .seconds(2), access: Access) {
        self.path = path
        self.checkInterval = checkInterval
        self.access = access
    }

    /// No end.
    public var defaultImmunity: Duration? { nil }

    /// Reads the file; the token's acquisition time is the modification time.
    public func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer {
        let looked = access.look(path)
        seen.withLock { $0 = looked }  // also where reading fails: an unreadable file is read again when it changes
        let limit = JSONReader.maximumCount
        let (bytes, stamp) = try access.read(path, limit)
        seen.withLock { $0 = stamp }
        guard bytes.count <= limit else {
            throw SourceError(.invalidVerifyChallengeResponse, "the file has more than \(limit) bytes")
        }
        var answer = try AnswerReading.standard.tokenOrJSON(bytes)
        answer.acquiredAt = stamp.modifiedAt
        return answer
    }

    /// Whether the stamp is another than the last fetch saw.
    public func hasChanged() -> Bool {
        let now = access.look(path)
        return seen.withLock { $0 != now }
    }

    /// Watches the directory; changes of other files in it are passed over.
    public func observe(_ onChange: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        access.watch(path) {
            if hasChanged() { onChange() }
        }
    }
}
