/// One field line (RFC 9112 §5), strictly: no fold, no blank before the colon, no control byte.
enum FieldLine {
    /// Adds the field at `line` of `source`, which excludes the line end.
    static func parse(_ line: Range<Int>, of source: Span<UInt8>, into fields: inout Fields)
        throws(HTTPError)
    {
        var index = line.lowerBound
        while index < line.upperBound, ByteKind.of(source[index]).contains(.token) { index += 1 }
        guard index < line.upperBound else { throw HTTPError(.missingColon) }
        guard source[index] == UInt8(ascii: ":") else {
            if isBlank(source[index]) {
                throw HTTPError(index == line.lowerBound ? .foldedField : .blankBeforeColon)
            }
            throw HTTPError(.malformedFieldName)
        }
        guard index > line.lowerBound else { throw HTTPError(.malformedFieldName) }
        let nameEnd = index
        index += 1
        let valueStart = index
        while index < line.upperBound {
            guard ByteKind.of(source[index]).contains(.fieldValue) else { throw HTTPError(.controlByte) }
            index += 1
        }
        fields.append(
            line: line, nameEnd: nameEnd, value: source.trimmed(valueStart..<line.upperBound), of: source)
    }
}
