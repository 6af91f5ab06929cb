import HTTP

/// Attaching a token leaves exactly one, ours, and attaching it again changes nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCookies(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = UnsafeBufferPointer(start: pointer, count: count).map { $0 == 0 || $0 == 10 || $0 == 13 ? 0x20 : $0 }
    let name = Array("Cookie".utf8)
    var fields = Fields()
    for part in bytes.split(separator: 0x7f, maxSplits: 3) {
        let value = Array(part)
        fields.append(name: name.span, value: value.span)
    }
    let token = Array("ours".utf8)
    TokenField.attach(token.span, carrier: .cookie, to: &fields)
    let once = cookies(fields)
    precondition(once.count == 1, "one Cookie field")
    let pairs = once[0].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let marker = Array("aws-waf-token=".utf8)
    let ours = pairs.filter { pair in
        let start = pair.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? pair.endIndex
        return pair[start...].starts(with: marker)
    }
    precondition(ours.count == 1, "one token")
    precondition(Array(ours[0]) == marker + token, "ours")
    TokenField.attach(token.span, carrier: .cookie, to: &fields)
    precondition(cookies(fields) == once, "attaching twice is attaching once")
    return 0
}

private func cookies(_ fields: borrowing Fields) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for index in 0..<fields.count {
        let value = fields.value(index)
        found.append((0..<value.count).map { value[$0] })
    }
    return found
}
