import Testing

@testable import Telemetry

@Suite struct FlowRingTests {
    private func ring(_ capacity: Int, _ count: Int, _ change: (Int, inout FlowEntry) -> Void = { _, _ in }) -> FlowRing
    {
        let ring = FlowRing(capacity: capacity)
        var entry = FlowEntry()
        for number in 1...max(count, 1) where count > 0 {
            entry.reset()
            entry.record.status = number
            change(number, &entry)
            ring.exchange(&entry)
        }
        return ring
    }

    private func ids(_ ring: FlowRing, _ change: (inout FlowFilter) -> Void = { _ in }) -> [UInt64] {
        var filter = FlowFilter()
        change(&filter)
        return ring.select(filter).entries.map(\.id)
    }

    @Test("the last ones are kept, oldest first, and the owner gets the buffers of the one that goes")
    func wrapping() {
        let ring = ring(3, 7)
        #expect(ids(ring) == [5, 6, 7])
        var entry = FlowEntry()
        entry.record.status = 8
        ring.exchange(&entry)
        #expect(entry.record.status == 5)
        #expect(ids(ring) == [6, 7, 8])
    }

    @Test("a limit gives the newest, or the first after a number, and says where to go on")
    func limits() {
        let ring = ring(5, 9)
        var filter = FlowFilter()
        filter.limit = 2
        #expect(ring.select(filter).entries.map(\.id) == [8, 9])
        #expect(ring.select(filter).last == 9)
        filter.since = 5
        #expect(ring.select(filter).entries.map(\.id) == [6, 7])
        #expect(ring.select(filter).last == 7)
        filter.since = 1  // gone by now
        #expect(ring.select(filter).entries.map(\.id) == [5, 6])
        filter.since = 9
        #expect(ring.select(filter).entries.isEmpty && ring.select(filter).last == 9)
        filter.since = 1 << 60
        #expect(ring.select(filter).entries.isEmpty)
    }

    @Test("filters meet, and what was looked at is not looked at again")
    func filters() {
        let ring = ring(10, 8) { number, entry in
            entry.record.host = number % 2 == 0 ? "shop.test" : "a.shop.test"
            entry.record.status = number < 5 ? 200 : 404
            entry.record.verdict = number == 3 ? .challenge : nil
            entry.provider = number == 8 ? nil : "shop"
        }
        #expect(ids(ring) { $0.host = "shop.test" } == [2, 4, 6, 8])
        #expect(ids(ring) { $0.host = "*.shop.test" } == [1, 3, 5, 7])
        #expect(ids(ring) { $0.status = 400...499 } == [5, 6, 7, 8])
        #expect(ids(ring) { $0.verdict = .only(.challenge) } == [3])
        #expect(ids(ring) { ($0.verdict, $0.host) = (.unjudged, "*.shop.test") } == [1, 5, 7])
        #expect(ids(ring) { $0.provider = "none" } == [8])
        var filter = FlowFilter()
        filter.provider = "other"
        #expect(ring.select(filter).last == 8)
    }

    @Test("a ring of nothing keeps nothing, an empty one gives nothing")
    func empty() {
        #expect(ids(ring(0, 3)).isEmpty)
        #expect(ids(ring(3, 0)).isEmpty)
    }

    @Test("writers and readers on several threads see whole entries")
    func threads() async {
        let ring = FlowRing(capacity: 16)
        await withTaskGroup { group in
            for writer in 0..<3 {
                group.addTask {
                    var entry = FlowEntry()
                    for number in 0..<2000 {
                        entry.reset()
                        entry.record.status = number
                        entry.record.replays = number
                        entry.provider = "\(writer)"
                        ring.exchange(&entry)
                    }
                }
            }
            group.addTask {
                for _ in 0..<200 {
                    let found = ring.select(FlowFilter()).entries
                    #expect(found.count <= 16)
                    #expect(found.allSatisfy { $0.record.status == $0.record.replays })
                    #expect(zip(found, found.dropFirst()).allSatisfy { $0.id + 1 == $1.id })
                }
            }
        }
        #expect(ring.select(FlowFilter()).last == 6000)
    }
}
