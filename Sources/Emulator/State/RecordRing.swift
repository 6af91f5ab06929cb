/// The latest records, numbered from 1; the oldest ones give way.
struct RecordRing: Sendable {
    /// How many are kept.
    let capacity: Int
    private var records: [RequestRecord] = []
    /// Number of the oldest record that is kept.
    private var first = 1
    /// Number of the next record.
    private(set) var next = 1

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    /// Adds a record; gives its number.
    mutating func append(_ record: RequestRecord) -> Int {
        var record = record
        record.number = next
        if records.count < capacity {
            records.append(record)
        } else {
            records[(next - 1) % capacity] = record
            first = next - capacity + 1
        }
        next += 1
        return record.number
    }

    /// Changes a record, if it is still kept.
    mutating func update(_ number: Int, _ change: (inout RequestRecord) -> Void) {
        guard let index = index(of: number) else { return }
        change(&records[index])
    }

    private func index(of number: Int) -> Int? {
        guard number >= first, number < next else { return nil }
        let index = records.count < capacity ? number - first : (number - 1) % capacity
        return records[index].number == number ? index : nil
    }

    /// The records after a number, oldest first.
    func records(after number: Int = 0) -> [RequestRecord] {
        (max(first, number + 1)..<max(next, first, number + 1)).compactMap { index(of: $0).map { records[$0] } }
    }

    /// Forgets all records; the numbers go on.
    mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        first = next
    }
}
