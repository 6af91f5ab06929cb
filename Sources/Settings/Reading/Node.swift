/// A value as it was given, before anybody knows its type: from the file, or made of a flag's or variable's text.
struct Node: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        case null
        case scalar(String)
        case list([Node])
        case mapping([Entry])
    }

    struct Entry: Sendable, Equatable {
        let key: String
        let keyLine: Int
        let value: Node
    }

    var content: Content
    /// Line of the file, from 1; 0 for flags and variables.
    var line: Int

    init(_ content: Content, line: Int = 0) {
        self.content = content
        self.line = line
    }

    /// How a value of the wrong shape is shown.
    var shown: String {
        switch content {
        case .null: "null"
        case .scalar(let text): text
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }

    /// What the texts of one flag (or the text of one variable) mean for a value of this shape.
    init(texts: [String], shape: ValueShape) {
        switch shape {
        case .switch, .single:
            self.init(.scalar(texts.last ?? ""))
        case .commaList:
            self.init(.list(texts.flatMap { Node.pieces($0, ",") }.map { Node(.scalar($0)) }))
        case .pairs:
            self.init(.mapping(texts.flatMap { Node.pieces($0, ",") }.map { Node.entry($0, "=") }))
        case .fieldLines:
            self.init(.mapping(texts.flatMap { Node.pieces($0, "\n") }.map { Node.entry($0, ":") }))
        }
    }

    /// The pieces between separators, without the blanks around them; none for a blank text.
    static func pieces(_ text: String, _ separator: Character) -> [String] {
        text.split(whereSeparator: { $0 == separator || (separator == "\n" && $0.isNewline) }).map { trimmed($0) }
            .filter { !$0.isEmpty }
    }

    private static func entry(_ text: String, _ separator: Character) -> Entry {
        let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? Node(.scalar(trimmed(parts[1]))) : Node(.null)
        return Entry(key: trimmed(parts[0]), keyLine: 0, value: value)
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return String(text)
    }
}

/// How a value is written in flags and variables.
enum ValueShape: Sendable, Equatable {
    /// A flag that may stand alone: `--explain`, `--no-explain`, `--explain=false`.
    case `switch`
    /// One value, given once.
    case single
    /// Values between commas; the flag may be repeated.
    case commaList
    /// `key=value` between commas; the flag may be repeated.
    case pairs
    /// `Name: value` lines.
    case fieldLines
}
