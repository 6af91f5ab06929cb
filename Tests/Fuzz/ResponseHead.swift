import HTTP

/// Lines as libcurl hands them on; whatever they hold, the parser does not trap, and a head it takes has one framing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzResponseHead(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: pointer, count: count))
    var parser = ResponseHeadParser()
    var head = ResponseHead()
    var start = 0
    while let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        do {
            let line = bytes.span.extracting(start..<feed + 1)
            if try parser.feed(line, requestMethod: .get, into: &head) {
                precondition((100...999).contains(head.status))
                if head.fields.index(of: .transferEncoding) != nil {
                    precondition(head.fields.index(of: .contentLength) == nil, "both framings")
                }
            }
        } catch {
            return 0
        }
        start = feed + 1
    }
    return 0
}
