/// Text for a man page, in the macros of man(7).
enum Roff {
    /// Words as they are: nothing in them is a request or an escape.
    static func text(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "…": result += "..."
            case "\"": result += "\\(dq"
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }

    static func bold(_ text: String) -> String { "\\fB\(self.text(text))\\fR" }
    static func italic(_ text: String) -> String { "\\fI\(self.text(text))\\fR" }

    /// A paragraph: a sentence a line, lines of at most 78 columns.
    static func paragraph(_ text: String) -> String {
        lines(self.text(text))
    }

    /// Breaks what is roff already.
    static func lines(_ roff: String) -> String {
        var lines: [String] = []
        var line = ""
        for word in roff.split(separator: " ") {
            let endsSentence = line.hasSuffix(".") && word.first?.isUppercase == true
            if !line.isEmpty && (endsSentence || line.utf8.count + 1 + word.utf8.count > 78) {
                lines.append(line)
                line = ""
            }
            // A request begins with a dot in the first column.
            line += line.isEmpty ? (word.hasPrefix(".") ? "\\&\(word)" : "\(word)") : " \(word)"
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A term with what there is to say of it.
    static func entry(_ term: String, _ body: String) -> String {
        ".TP\n\(term)\n\(body)"
    }
}
