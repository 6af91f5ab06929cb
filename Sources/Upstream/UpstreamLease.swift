internal import EventLoop

/// An upstream client for as long as anything goes by it: with the last reference it is shut down. Confined to the
/// client's loop, but for its making and for the time after that loop's end.
public final class UpstreamLease {
    public let client: UpstreamClient

    public init(_ client: UpstreamClient) {
        self.client = client
    }

    /// Later, on the loop: the last user may end anywhere, and a client is not shut down inside a call of its own.
    deinit {
        nonisolated(unsafe) let client = client  // used on its loop alone
        client.loop.execute { client.shutdown() }
    }
}

/// The client that is used now, and those before it that are still in use. Confined to their loop.
public final class UpstreamLeases {
    public private(set) var current: UpstreamLease
    private var earlier: [Weak] = []

    private struct Weak {
        weak var lease: UpstreamLease?
    }

    public init(_ client: UpstreamClient) {
        current = UpstreamLease(client)
    }

    /// `client` takes the place of the one before, which ends when nobody holds its lease any more.
    public func renew(_ client: UpstreamClient) {
        earlier.removeAll { $0.lease == nil }
        earlier.append(Weak(lease: current))
        current = UpstreamLease(client)
    }

    /// Ends all of them now.
    public func shutdown() {
        current.client.shutdown()
        for entry in earlier { entry.lease?.client.shutdown() }
    }
}
