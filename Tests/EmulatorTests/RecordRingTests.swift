import Testing

@testable import Emulator

@Suite struct RecordRingTests {
    private let record = RequestRecord(
        decision: Decision(action: .allow, token: .absent, verdict: .allow, isForced: false, interception: nil))

    @Test("Records are numbered from 1; the oldest give way")
    func ring() {
        var ring = RecordRing(capacity: 3)
        #expect(ring.records().isEmpty)
        for number in 1...7 {
            #expect(ring.append(record) == number)
            #expect(ring.records().map(\.number) == Array(max(1, number - 2)...number))
        }
        #expect(ring.records(after: 6).map(\.number) == [7])
        #expect(ring.records(after: 7).isEmpty)
        #expect(ring.records(after: 100).isEmpty)
    }

    @Test("A record can be changed as long as it is kept")
    func update() {
        var ring = RecordRing(capacity: 2)
        for _ in 1...3 { _ = ring.append(record) }
        ring.update(1) { $0.status = 1 }
        ring.update(3) { $0.status = 3 }
        ring.update(4) { $0.status = 4 }
        #expect(ring.records().map(\.status) == [nil, 3])
    }

    @Test("Forgetting all of them keeps the numbers going", arguments: [1, 2, 3, 5])
    func removal(before: Int) {
        var ring = RecordRing(capacity: 3)
        for _ in 0..<before { _ = ring.append(record) }
        ring.removeAll()
        #expect(ring.records().isEmpty)
        ring.update(before) { $0.status = 1 }
        for number in (before + 1)...(before + 5) {
            #expect(ring.append(record) == number)
            ring.update(number) { $0.status = number }
        }
        #expect(ring.records().map(\.number) == [before + 3, before + 4, before + 5])
        #expect(ring.records().map(\.status) == [before + 3, before + 4, before + 5])
    }
}
