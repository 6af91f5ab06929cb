import Foundation
import Synchronization
import Testing

@testable import TLS

@Suite struct LeafStoreTests {
    private static let hour = 3600
    private static let day = 86400

    /// A clock that is set by hand.
    private final class ManualClock: Sendable {
        let now = Atomic<Int>(1_800_000_000)
        var read: @Sendable () -> Int { { [self] in now.load(ordering: .relaxed) } }
        func advance(_ seconds: Int) { now.wrappingAdd(seconds, ordering: .relaxed) }
    }

    private let clock = ManualClock()

    private func makeStore(capacity: Int = 10, leafDays: Int = 30, backdateHours: Int = 48) throws -> LeafStore {
        let authority = try InterceptionAuthority(constraints: nil, now: clock.read())
        return try LeafStore(
            authority: authority, capacity: capacity, leafDays: leafDays, backdateHours: backdateHours,
            clock: clock.read)
    }

    @Test("A host has one leaf for as long as it is good, and all leaves have one key")
    func reuse() throws {
        let store = try makeStore()
        let first = try store.identity(for: "shop.test")
        clock.advance(20 * Self.day)
        #expect(try store.identity(for: "shop.test").chain[0] === first.chain[0])
        #expect(try store.identity(for: "other.test").key === first.key)
        #expect(first.chain.count == 2)
        #expect(store.minted == 2)
    }

    @Test("A leaf is made anew while a fifth of its time is left, and when the clock is set back behind it")
    func renewal() throws {
        let store = try makeStore()
        let first = try store.identity(for: "shop.test")
        clock.advance(24 * Self.day)
        let second = try store.identity(for: "shop.test")
        #expect(second.chain[0] !== first.chain[0])
        let now = clock.read()
        #expect(try second.chain[0].validity() == (now - 2 * Self.day)..<(now + 30 * Self.day))
        clock.advance(-3 * Self.day)
        #expect(try store.identity(for: "shop.test").chain[0] !== second.chain[0])
        #expect(store.minted == 3)
    }

    @Test("A leaf is never valid beyond its authority, and none is made when that has ended")
    func authorityEnds() throws {
        let store = try makeStore(backdateHours: 72)
        let limits = store.authority.notBefore..<store.authority.notAfter
        #expect(try store.identity(for: "a.test").chain[0].validity().lowerBound == limits.lowerBound)
        clock.advance(720 * Self.day)
        #expect(try store.identity(for: "a.test").chain[0].validity().upperBound == limits.upperBound)
        clock.advance(10 * Self.day)
        #expect(throws: TLSError(.certificate, "")) { try store.identity(for: "a.test") }
        clock.advance(-740 * Self.day)
        #expect(throws: TLSError(.certificate, "")) { try store.identity(for: "a.test") }
    }

    @Test("Callers for one host that come at once make one leaf")
    func concurrentCallers() async throws {
        let store = try makeStore()
        let leaves = try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask { ObjectIdentifier(try store.identity(for: "host\(number % 4).test").chain[0]) }
            }
            return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(leaves.count == 4)
        #expect(store.minted == 4)
    }

    @Test("Two thousand hosts stay within the bound, and the one in use stays")
    func bounded() throws {
        let store = try makeStore(capacity: 50)
        let first = try store.identity(for: "kept.test")
        for number in 0..<2000 {
            _ = try store.identity(for: "host\(number).test")
            #expect(try store.identity(for: "kept.test").chain[0] === first.chain[0])
        }
        #expect(store.minted == 2001)
        _ = try store.identity(for: "host0.test")
        #expect(store.minted == 2002)
    }

    @Test("What is no host is refused, and asking again is no different", arguments: ["", "a b", "b\u{fc}cher.test"])
    func refused(host: String) throws {
        let store = try makeStore()
        for _ in 0..<2 {
            #expect(throws: TLSError(.malformedInput, "")) { try store.identity(for: host) }
        }
        #expect(store.minted == 0)
    }
}
