public import Settings

/// A value that a format cannot carry.
public struct UnwritableVariable: Error, Sendable, Equatable, CustomStringConvertible {
    /// The variable's name.
    public let name: String
    /// The format.
    public let format: VariableFormat

    /// One sentence for a person; the value is not repeated.
    public var description: String {
        "\(name): \(format.rawValue) has no way to write its value; take a path without line ends, quotes and ${"
    }
}

extension VariableFormat {
    /// The variables as text in this format, ending in a line end.
    ///
    /// - Parameter extending: the text itself extends what is set where it is read; else values are written as they
    ///   are. Formats that are no language ignore it.
    public func text(_ variables: [ClientVariable], extending: Bool = false) throws(UnwritableVariable) -> String {
        var lines: [String] = []
        for variable in variables {
            // Nobody needs control characters, and no two formats agree on them.
            guard variable.value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }),
                let line = line(variable, extending: extending)
            else { throw UnwritableVariable(name: variable.name, format: self) }
            lines.append(line)
        }
        if self == .json { return "{\n" + lines.joined(separator: ",\n") + "\n}\n" }
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(_ variable: ClientVariable, extending: Bool) -> String? {
        let (name, value) = (variable.name, variable.value)
        let separator = extending ? variable.separator : nil
        switch self {
        case .sh:
            // POSIX.1 XCU 2.2.2: nothing is special within single quotes.
            let quoted = "'\(value.replacing("'", with: "'\\''"))'"
            guard let separator else { return "export \(name)=\(quoted)" }
            return "export \(name)=\"${\(name):+$\(name)\(separator)}\"\(quoted)"
        case .fish:
            let quoted = "'\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
            guard let separator else { return "set -gx \(name) \(quoted)" }
            return "set -gx \(name) (string join '\(separator)' -- (string match -v -- '' $\(name)) \(quoted))"
        case .powershell:
            let quoted = "'\(Self.doublingQuotes(value))'"
            guard let separator else { return "$env:\(name) = \(quoted)" }
            return "$env:\(name) = (@($env:\(name), \(quoted)) | Where-Object { $_ }) -join '\(separator)'"
        case .dotenv: return Self.dotenv(value).map { "\(name)=\($0)" }
        case .docker, .github: return "\(name)=\(value)"
        case .json: return "  \(Self.json(name)): \(Self.json(value))"
        }
    }

    /// PowerShell takes the typographic single quotes for quotes as well (about_Quoting_Rules).
    private static func doublingQuotes(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            result.unicodeScalars.append(scalar)
            if scalar == "'" || (0x2018...0x201b).contains(scalar.value) { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// What Docker Compose and python-dotenv agree on: single quotes without escapes, else double quotes around text in
    /// which nothing is special. python-dotenv expands `${…}` in either.
    private static func dotenv(_ value: String) -> String? {
        if value.contains("${") { return nil }
        if !value.contains("'"), !value.contains("\\") { return "'\(value)'" }
        if value.contains(where: { "\"\\$`".contains($0) }) { return nil }
        return "\"\(value)\""
    }

    /// RFC 8259 §7; control characters were refused before.
    private static func json(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
