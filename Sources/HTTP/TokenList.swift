/// A comma-separated list in one field value (RFC 9110 §5.6.1).
enum TokenList {
    /// Calls `body` with each element, blanks around it removed; stops when it returns false.
    @inline(__always)
    static func forEach(_ value: Span<UInt8>, _ body: (Span<UInt8>) -> Bool) {
        var start = 0
        while start < value.count {
            let end = value.firstIndex(of: UInt8(ascii: ","), in: start..<value.count)
            let element = value.trimmed(start..<end)
            if !element.isEmpty, !body(value.extracting(element)) { return }
            start = end + 1
        }
    }

    /// Whether `lower` (in lower case) is an element, whatever its case there.
    static func contains(_ lower: StaticString, in value: Span<UInt8>) -> Bool {
        var isFound = false
        forEach(value) { element in
            isFound = element.equalsIgnoringCase(lower)
            return !isFound
        }
        return isFound
    }
}

extension Fields {
    /// Whether any field of this name has `lower` (in lower case) as an element.
    public func list(_ known: KnownField, contains lower: StaticString) -> Bool {
        var next = index(of: known)
        while let index = next {
            if TokenList.contains(lower, in: value(index)) { return true }
            next = self.index(of: known, from: index + 1)
        }
        return false
    }
}
