import HTTP

/// A chunked body gives the same content however it is cut, and what it gives encodes and decodes to itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzChunked(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: pointer, count: count))
    let whole = decode(bytes, step: max(count, 1))
    let cut = decode(bytes, step: 1)
    precondition(whole.text == cut.text, "the result depends on how the bytes were cut")
    precondition(whole.content == cut.content || whole.failed)

    var encoded: [UInt8] = []
    if !whole.content.isEmpty {
        ChunkedEncoder.begin(chunkOf: whole.content.count, into: &encoded)
        encoded += whole.content
        ChunkedEncoder.endChunk(into: &encoded)
    }
    ChunkedEncoder.end(trailers: Fields(), into: &encoded)
    precondition(decode(encoded, step: 7).content == whole.content)
    return 0
}

private func decode(_ bytes: [UInt8], step: Int) -> (content: [UInt8], text: String, failed: Bool) {
    var decoder = ChunkedDecoder()
    var content: [UInt8] = []
    var start = 0
    do {
        while start < bytes.count && !decoder.isFinished {
            let end = min(start + step, bytes.count)
            let used = try decoder.decode(bytes.span.extracting(start..<end)) { part in
                for index in 0..<part.count { content.append(part[index]) }
            }
            precondition(used == end - start || decoder.isFinished)
            start += used
        }
    } catch {
        return (content, "\(error.status) \(error.reason)", true)
    }
    return (content, decoder.isFinished ? "finished after \(start)" : "more", false)
}
