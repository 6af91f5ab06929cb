/// One field line (RFC 9112 §5), strictly: no fold, no blank before the colon, no control byte.
public struct FieldLine {
    /// The line without its line end.
    let line: Range<Int>
    let nameEnd: Int
    /// Without the blanks around it.
    let value: Range<Int>

    /// Finds the parts of the field at `line` of `source`, whose bytes are known to hold no control.
    @inline(__always)
    init(scanned line: Range<Int>, of source: Span<UInt8>) throws(HTTPError) {
        var index = line.lowerBound
        while index < line.upperBound, ByteKind.of(source[index]).contains(.token) { index += 1 }
        guard index < line.upperBound, index > line.lowerBound, source[index] == UInt8(ascii: ":") else {
            throw Self.fault(at: index, of: line, in: source)
        }
        self.line = line
        nameEnd = index
        value = source.trimmed((index + 1)..<line.upperBound)
    }

    private static func fault(at index: Int, of line: Range<Int>, in source: Span<UInt8>) -> HTTPError {
        if index == line.upperBound { return HTTPError(.missingColon) }
        if isBlank(source[index]) { return HTTPError(index == line.lowerBound ? .foldedField : .blankBeforeColon) }
        return HTTPError(.malformedFieldName)
    }
}

extension FieldLine {
    /// Adds the field of `line`, which ends with CR LF. False: it was the empty line, which ends a section.
    public static func append(_ line: Span<UInt8>, to fields: inout Fields) throws(HTTPError) -> Bool {
        guard let content = try content(of: line) else { return false }
        fields.append(try FieldLine(scanned: content, of: line), of: line)
        return true
    }

    /// As `append`, and refuses names that may not stand in trailers (`TrailerSection.allows`).
    public static func append(trailer line: Span<UInt8>, to trailers: inout Fields) throws(HTTPError) -> Bool {
        guard let content = try content(of: line) else { return false }
        let parts = try FieldLine(scanned: content, of: line)
        let known = KnownField(line.extracting(content.lowerBound..<parts.nameEnd))
        guard TrailerSection.allows(known) else { throw HTTPError(.forbiddenTrailer) }
        trailers.append(parts, of: line)
        return true
    }

    /// Whether these bytes may be a field's name or a method (RFC 9110 §5.6.2).
    public static func isToken(_ bytes: Span<UInt8>) -> Bool {
        for index in 0..<bytes.count where !ByteKind.of(bytes[index]).contains(.token) { return false }
        return bytes.count > 0
    }

    /// What stands before the line end, or nil where nothing does.
    static func content(of line: Span<UInt8>) throws(HTTPError) -> Range<Int>? {
        let control = line.firstControl(in: 0..<line.count)
        guard control < line.count else { throw HTTPError(.bareCarriageReturn) }  // cut off before its end
        let isWhole =
            control == line.count - 2 && line[control] == UInt8(ascii: "\r") && line[control + 1] == UInt8(ascii: "\n")
        guard isWhole else { throw HTTPError(control: line[control]) }
        return control == 0 ? nil : 0..<control
    }
}
