import HTTP

/// However a request head is cut, the parser says the same about it; whatever the bytes are, it does not trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequestHead(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: pointer, count: count))
    let whole = outcome(bytes, cuts: [count])
    let cut = outcome(bytes, cuts: [count / 3, count / 2, count])
    let byByte = count < 512 ? outcome(bytes, cuts: Array(0...count)) : whole
    precondition(whole == cut && whole == byByte, "the result depends on how the bytes were cut")
    return 0
}

/// What came out, as text.
private func outcome(_ bytes: [UInt8], cuts: [Int]) -> String {
    var parser = RequestHeadParser(limits: HeadLimits(headBytes: 4096, headFields: 40))
    var head = RequestHead()
    do {
        for end in cuts {
            guard let used = try parser.parse(bytes.span.extracting(0..<end), into: &head) else { continue }
            precondition(used <= end)
            let fields = (0..<head.fields.count).map { index in
                let line = head.fields.line(index)
                return (0..<line.count).map { String(line[$0]) }.joined(separator: ",")
            }
            return "\(used) \(head.framing) \(head.keepAlive) \(head.target) \(fields)"
        }
        return "more"
    } catch {
        return "\(error.status) \(error.reason)"
    }
}
