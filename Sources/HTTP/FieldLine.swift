/// One field line (RFC 9112 §5), strictly: no fold, no blank before the colon, no control byte.
public enum FieldLine {
    /// Adds the field of `line`, which ends with CR LF. False: it was the empty line, which ends a section.
    ///
    /// Throws `bareLineFeed` where the line end is another, and what is wrong with the field.
    public static func append(_ line: Span<UInt8>, to fields: inout Fields) throws(HTTPError) -> Bool {
        let end = line.count - 2
        guard end >= 0, line[end] == UInt8(ascii: "\r"), line[end + 1] == UInt8(ascii: "\n") else {
            throw HTTPError(.bareLineFeed)
        }
        if end == 0 { return false }
        try append(line, upTo: end, to: &fields)
        return true
    }

    /// As `append`, and refuses names that may not stand in trailers, as they say where the message ends or whom it is
    /// for (RFC 9110 §6.5.1): `forbiddenTrailer`.
    public static func append(trailer line: Span<UInt8>, to trailers: inout Fields) throws(HTTPError) -> Bool {
        guard try append(line, to: &trailers) else { return false }
        switch trailers.known(trailers.count - 1) {
        case .contentLength, .transferEncoding, .host: throw HTTPError(.forbiddenTrailer)
        default: return true
        }
    }

    /// Whether these bytes may be a field's name or a method (RFC 9110 §5.6.2).
    public static func isToken(_ bytes: Span<UInt8>) -> Bool {
        bytes.count > 0 && bytes.end(of: .token, in: 0..<bytes.count) == bytes.count
    }

    /// Adds the field that is `line` up to `end`.
    static func append(_ line: Span<UInt8>, upTo end: Int, to fields: inout Fields) throws(HTTPError) {
        let entry = try scan(line, from: 0, limit: end)
        guard Int(entry.lineEnd) == end else { throw HTTPError(.controlByte) }
        fields.append(entry, of: line)
    }

    /// Finds the parts of the field at `start`. Its line ends before the first byte that no value may hold, or at `limit`;
    /// the caller looks at what stands there.
    @inline(__always)
    static func scan(_ bytes: Span<UInt8>, from start: Int, limit: Int) throws(HTTPError) -> Fields.Entry {
        let nameEnd = bytes.end(of: .token, in: start..<limit)
        guard nameEnd < limit, bytes[nameEnd] == UInt8(ascii: ":"), nameEnd > start else {
            throw fault(bytes, start, nameEnd, limit)
        }
        var valueStart = nameEnd + 1
        while valueStart < limit, isBlank(bytes[valueStart]) { valueStart += 1 }
        let lineEnd = bytes.endOfFieldValue(in: valueStart..<limit)
        var valueEnd = lineEnd
        while valueEnd > valueStart, isBlank(bytes[valueEnd - 1]) { valueEnd -= 1 }
        return Fields.Entry(
            start: Int32(start), nameEnd: Int32(nameEnd), valueStart: Int32(valueStart), valueEnd: Int32(valueEnd),
            lineEnd: Int32(lineEnd), known: KnownField(bytes.extracting(start..<nameEnd)))
    }

    /// Why a name that ends at `index` is none.
    private static func fault(_ bytes: Span<UInt8>, _ start: Int, _ index: Int, _ limit: Int) -> HTTPError {
        guard index < limit else { return HTTPError(.missingColon) }
        let byte = bytes[index]
        if isBlank(byte) { return HTTPError(index == start ? .foldedField : .blankBeforeColon) }
        if byte == UInt8(ascii: "\r"), index + 1 < limit, bytes[index + 1] == UInt8(ascii: "\n") {
            return HTTPError(.missingColon)
        }
        return HTTPError(ByteKind.of(byte).contains(.fieldValue) ? .malformedFieldName : .controlByte)
    }
}
