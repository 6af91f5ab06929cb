/// Whether an `Accept` value names `text/html` with a weight other than 0 (RFC 9110 §12.5.1).
///
/// Wildcards do not name it: the real service answers `*/*` without a page.
func namesHTML(_ accept: Span<UInt8>) -> Bool {
    let text = accept.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    return text.split(separator: ",").contains { element in
        let parts = element.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmed.lowercased() }
        guard parts.first == "text/html" else { return false }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
        guard let weight else { return true }
        return weight.contains { ("1"..."9").contains($0) }
    }
}

extension Substring {
    /// Without spaces and tabs at both ends (RFC 9110 §5.6.3).
    var trimmed: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
