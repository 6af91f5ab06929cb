/// Splits a command line into words as a POSIX shell does (XCU §2.2, §2.3), without any expansion.
public enum CommandWords {
    /// The words; nil where a quote stays open, a backslash is last or there is no word.
    public static func split(_ line: String) -> [String]? {
        var splitter = Splitter()
        var rest = line.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "'"): guard splitter.single(&rest) else { return nil }
            case UInt8(ascii: "\""): guard splitter.double(&rest) else { return nil }
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                // A backslash before a line end continues the line (§2.2.1).
                if escaped != UInt8(ascii: "\n") { splitter.append(escaped) }
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"): splitter.endWord()
            default: splitter.append(byte)
            }
        }
        splitter.endWord()
        return splitter.words.isEmpty ? nil : splitter.words
    }

    private struct Splitter {
        var words: [String] = []
        private var word: [UInt8]?

        mutating func append(_ byte: UInt8) {
            word = (word ?? []) + [byte]
        }

        mutating func endWord() {
            guard let word else { return }
            words.append(String(decoding: word, as: UTF8.self))
            self.word = nil
        }

        /// Everything up to the next single quote stands for itself (§2.2.2).
        mutating func single(_ rest: inout Substring.UTF8View) -> Bool {
            word = word ?? []
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "'") { return true }
                append(byte)
            }
            return false
        }

        /// A backslash escapes only `$`, a back-quote, `"`, itself and a line end (§2.2.3).
        mutating func double(_ rest: inout Substring.UTF8View) -> Bool {
            word = word ?? []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return true
                case UInt8(ascii: "\\"):
                    guard let escaped = rest.popFirst() else { return false }
                    if escaped == UInt8(ascii: "\n") { continue }
                    if !"$`\"\\".utf8.contains(escaped) { append(byte) }
                    append(escaped)
                default: append(byte)
                }
            }
            return false
        }
    }
}
