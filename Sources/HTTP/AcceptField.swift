/// What a client accepts (RFC 9110 §12.5.1), as far as our own short answers need to know.
public enum AcceptField {
    /// Whether JSON is accepted and no text is: then an answer of ours is JSON.
    public static func wantsOnlyJSON(_ fields: borrowing Fields) -> Bool {
        var acceptsJSON = false
        var acceptsText = false
        var next = fields.index(of: .accept)
        while let index = next {
            TokenList.forEach(fields.value(index)) { element in
                guard !isRefused(element) else { return true }
                let type = element.extracting(mediaType(of: element))
                if type.equalsIgnoringCase("application/json") || type.equalsIgnoringCase("application/*") {
                    acceptsJSON = true
                }
                if type.equalsIgnoringCase("*/*") || startsWithText(type) { acceptsText = true }
                return true
            }
            next = fields.index(of: .accept, from: index + 1)
        }
        return acceptsJSON && !acceptsText
    }

    private static func mediaType(of element: Span<UInt8>) -> Range<Int> {
        element.trimmed(0..<element.firstIndex(of: UInt8(ascii: ";"), in: 0..<element.count))
    }

    private static func startsWithText(_ type: Span<UInt8>) -> Bool {
        type.count >= 5 && type.extracting(0..<5).equalsIgnoringCase("text/")
    }

    /// `;q=0`, `;q=0.000`
    private static func isRefused(_ element: Span<UInt8>) -> Bool {
        var start = element.firstIndex(of: UInt8(ascii: ";"), in: 0..<element.count)
        while start < element.count {
            let end = element.firstIndex(of: UInt8(ascii: ";"), in: (start + 1)..<element.count)
            let parameter = element.trimmed((start + 1)..<end)
            start = end
            guard parameter.count >= 3, lowercased(element[parameter.lowerBound]) == UInt8(ascii: "q"),
                element[parameter.lowerBound + 1] == UInt8(ascii: "=")
            else { continue }
            return parameter.dropFirst(2).allSatisfy {
                element[$0] == UInt8(ascii: "0") || element[$0] == UInt8(ascii: ".")
            }
        }
        return false
    }
}
