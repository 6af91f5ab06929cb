/// The latest records, numbered from 1; the oldest ones give way.
struct RecordRing: Sendable {
    /// How many are kept.
    let capacity: Int
    private var records: [RequestRecord] = []
    /// Number of the record in the first place, when it was filled first.
    private var base = 1
    /// Number of the next record.
    private(set) var next = 1

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    /// Number of the oldest record that is kept.
    private var first: Int { next - records.count }

    private func place(of number: Int) -> Int { (number - base) % capacity }

    /// Adds a record; gives its number.
    mutating func append(_ record: RequestRecord) -> Int {
        var record = record
        record.number = next
        if records.count < capacity { records.append(record) } else { records[place(of: next)] = record }
        next += 1
        return record.number
    }

    /// Changes a record, if it is still kept.
    mutating func update(_ number: Int, _ change: (inout RequestRecord) -> Void) {
        guard number >= first, number < next else { return }
        change(&records[place(of: number)])
    }

    /// The records after a number, oldest first.
    func records(after number: Int = 0) -> [RequestRecord] {
        let start = max(first, min(number, next) + 1)
        return start < next ? (start..<next).map { records[place(of: $0)] } : []
    }

    /// Forgets all records; the numbers go on.
    mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        base = next
    }
}
