public import Telemetry

/// The leaves of intercepted hosts: made when first asked for, kept while they are used, made anew before they end.
///
/// All leaves of a store share one key that was made with it. Safe on any thread: callers for one host that come at the
/// same time make one leaf, callers for different hosts do not wait for each other.
public final class LeafStore: Sendable {
    /// Who signs them.
    public let authority: InterceptionAuthority
    private let key: PrivateKey
    private let lifetime: Int
    private let backdate: Int
    private let clock: @Sendable () -> Int
    private let places: Lock<LRUCache<String, Place>>
    private let mints: Counter

    /// The place of one host. Its lock is held while its leaf is made: that is what the other callers wait for.
    private final class Place: Sendable {
        let leaf = Lock<Leaf?>(nil)
    }

    private struct Leaf {
        let identity: TLSIdentity
        /// When it is usable, in seconds since 1970, less the last fifth of its time.
        let use: Range<Int>
    }

    /// - Parameters:
    ///   - capacity: how many hosts' leaves are kept, about 3 KB each.
    ///   - leafDays: from now to a leaf's end.
    ///   - backdateHours: from a leaf's beginning to now, for clients whose clock is behind.
    ///   - minted: rises with every leaf that is made.
    ///   - clock: seconds since 1970.
    public init(
        authority: InterceptionAuthority, capacity: Int = 1000, leafDays: Int = 30, backdateHours: Int = 48,
        minted: Counter = Counter(), clock: @escaping @Sendable () -> Int
    ) throws(TLSError) {
        self.authority = authority
        self.clock = clock
        mints = minted
        lifetime = leafDays * 86400
        backdate = backdateHours * 3600
        key = try PrivateKey.generateP256()
        places = Lock(LRUCache(capacity: capacity))
    }

    /// How many leaves were made.
    public var minted: UInt64 { UInt64(mints.value) }

    /// The leaf for this host with the chain below the root, and its key.
    ///
    /// Throws `malformedInput` for what is no host, `certificate` when the authority is not valid now.
    ///
    /// - Parameter host: a name in lower case without a trailing dot, or an address without brackets.
    public func identity(for host: String) throws(TLSError) -> TLSIdentity {
        let now = clock()
        let place = places.withLock { $0.value(for: host) { Place() } }
        return try place.leaf.withLock { leaf throws(TLSError) in
            if let leaf, leaf.use.contains(now) { return leaf.identity }
            let made = try mint(for: host, now: now)
            leaf = made
            return made.identity
        }
    }

    private func mint(for host: String, now: Int) throws(TLSError) -> Leaf {
        guard (authority.notBefore..<authority.notAfter).contains(now) else {
            throw TLSError(.certificate, "the authority is not valid now", faults: [])
        }
        let isAddress = IPOctets(host) != nil
        let certificate = try authority.issuer.leaf(
            dnsNames: isAddress ? [] : [host], ipAddresses: isAddress ? [host] : [], key: key,
            validity: (now - backdate)..<min(now + lifetime, authority.notAfter))
        mints.add()
        let validity = try certificate.validity()
        let spare = (validity.upperBound - now) / 5
        return Leaf(
            identity: TLSIdentity(chain: [certificate] + authority.chain, key: key),
            use: validity.lowerBound..<(validity.upperBound - spare))
    }
}
