/// The list of flows as JSON: the fields of the log under the same names, and what only the ring knows.
public enum FlowJSON {
    /// `{"flows":[{"id":1,"ts":"…","provider":"shop",…}],"last":1}`
    public static func write(_ selection: FlowRing.Selection) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(selection.entries.count * 512 + 64)
        out += "{\"flows\":[".utf8
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: AccessRecord.longestLine) { memory in
            for (index, entry) in selection.entries.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                var writer = LineWriter(memory)
                writer.jsonFlow(entry)
                out += writer.line
            }
        }
        out += "],\"last\":\(selection.last)}\n".utf8
        return out
    }
}

extension LineWriter {
    fileprivate mutating func jsonFlow(_ entry: borrowing FlowEntry) {
        literal("{\"id\":")
        unsigned(entry.id)
        literal(",\"ts\":\"")
        rfc3339(entry.ended)
        literal("\",\"provider\":")
        if let provider = entry.provider { jsonString(provider.utf8) } else { literal("null") }
        jsonAccessFields(entry.record)
        byte(UInt8(ascii: "}"))
    }
}
