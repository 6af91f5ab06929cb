/// The `Via` field (RFC 9110 §7.6.3).
public enum Via {
    /// Adds `1.1 pseudonym` as the last field; `version` is that of the message received.
    public static func append(to fields: inout Fields, version: HTTPVersion, pseudonym: StaticString) {
        fields.append("Via") { value in
            value.append(version.text)
            value.append(0x20)
            value.append(pseudonym)
        }
    }

    /// Whether a proxy of this pseudonym has seen the message before.
    public static func containsLoop(_ fields: borrowing Fields, pseudonym: StaticString) -> Bool {
        var isFound = false
        var next = fields.index(of: .via)
        while let index = next, !isFound {
            TokenList.forEach(fields.value(index)) { element in
                isFound = receivedBy(element, is: pseudonym)
                return !isFound
            }
            next = fields.index(of: .via, from: index + 1)
        }
        return isFound
    }

    /// An element is `version SP received-by [ SP comment ]`.
    private static func receivedBy(_ element: Span<UInt8>, is pseudonym: StaticString) -> Bool {
        var start = 0
        while start < element.count, !isBlank(element[start]) { start += 1 }
        while start < element.count, isBlank(element[start]) { start += 1 }
        var end = start
        while end < element.count, !isBlank(element[end]) { end += 1 }
        return element.extracting(start..<end).equalsIgnoringCase(pseudonym)
    }
}
