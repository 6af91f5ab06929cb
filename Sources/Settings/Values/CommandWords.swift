/// Splits a command line into words as a POSIX shell does, without any expansion (XCU §2.2, §2.3).
enum CommandWords {
    /// The words, or nil where a quote stays open or nothing is left.
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: [UInt8] = []
        var isInWord = false
        var quote: UInt8?
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch (quote, byte) {
            case (UInt8(ascii: "'"), _):
                if byte == UInt8(ascii: "'") { quote = nil } else { word.append(byte) }
            case (UInt8(ascii: "\""), UInt8(ascii: "\"")):
                quote = nil
            case (_, UInt8(ascii: "\\")):
                guard let next = rest.popFirst() else { return nil }
                isInWord = true
                let keepsBackslash = quote != nil && !"$`\"\\\n".utf8.contains(next)
                if keepsBackslash { word.append(byte) }
                if next != UInt8(ascii: "\n") { word.append(next) }
            case (nil, UInt8(ascii: "'")), (nil, UInt8(ascii: "\"")):
                quote = byte
                isInWord = true
            case (nil, UInt8(ascii: " ")), (nil, UInt8(ascii: "\t")), (nil, UInt8(ascii: "\n")):
                if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
                word.removeAll()
                isInWord = false
            default:
                word.append(byte)
                isInWord = true
            }
        }
        guard quote == nil else { return nil }
        if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
        guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else {
            return nil
        }
        return words
    }

    /// One line that splits into the same words.
    static func joined(_ words: [String]) -> String {
        words.map { word in
            let isPlain = !word.isEmpty && !word.utf8.contains { " \t\n'\"\\$`".utf8.contains($0) }
            return isPlain
                ? word
                : "'"
                    + word.split(separator: "'", omittingEmptySubsequences: false)
                    .joined(separator: #"'\''"#) + "'"
        }.joined(separator: " ")
    }
}
