/// The `Via` field (RFC 9110 §7.6.3).
public enum Via {
    /// Adds `1.1 pseudonym` as the last field; `version` is that of the message received.
    public static func append(to fields: inout Fields, version: HTTPVersion, pseudonym: String) {
        fields.append("Via") { value in
            value.append(version.text)
            value.append(0x20)
            value.append(contentsOf: pseudonym.utf8)
        }
    }

    /// The values of all `Via` fields, the oldest first.
    public static func values(of fields: borrowing Fields) -> [[UInt8]] {
        var values: [[UInt8]] = []
        var next = fields.index(of: .via)
        while let index = next {
            values.append(fields.value(index).withUnsafeBufferPointer { Array($0) })
            next = fields.index(of: .via, from: index + 1)
        }
        return values
    }

    /// Whether a proxy of this pseudonym (in lower case) has seen the message before.
    ///
    /// Every comma parts two elements here, those in comments too: a comment may feign a loop, but never hide one.
    public static func containsLoop(_ fields: borrowing Fields, pseudonym: String) -> Bool {
        var next = fields.index(of: .via)
        if next == nil { return false }
        let pseudonym = Array(pseudonym.utf8)
        while let index = next {
            var isFound = false
            TokenList.forEach(fields.value(index)) { element in
                isFound = receivedBy(element, is: pseudonym.span)
                return !isFound
            }
            if isFound { return true }
            next = fields.index(of: .via, from: index + 1)
        }
        return false
    }

    /// An element is `[protocol/]version SP received-by [SP comment]`.
    private static func receivedBy(_ element: Span<UInt8>, is pseudonym: Span<UInt8>) -> Bool {
        var start = 0
        while start < element.count, !isBlank(element[start]) { start += 1 }
        while start < element.count, isBlank(element[start]) { start += 1 }
        var end = start
        while end < element.count, !isBlank(element[end]), element[end] != UInt8(ascii: "(") { end += 1 }
        return element.extracting(start..<end).equalsIgnoringCase(pseudonym)
    }
}
