import Testing

@testable import Settings

/// What README.md says of settings and commands is what the declaration says.
@Suite struct ReadmeTests {
    private let text: String

    init() throws {
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        text = String(decoding: try FileAccess.posix.read("/\(path)/README.md", 1 << 20), as: UTF8.self)
    }

    @Test func `the settings section is the reference; waf-token-proxy help settings prints a new one`() throws {
        let begin = try #require(text.firstRange(of: "<!-- settings:begin -->\n\n"))
        let end = try #require(text.firstRange(of: "<!-- settings:end -->"))
        #expect(text[begin.upperBound..<end.lowerBound] == Reference.markdown)
    }

    @Test func `the YAML example has no fault`() throws {
        let examples = blocks("yaml")
        #expect(examples.count == 1)
        for example in examples {
            let output = try #require(printed(["check"], yaml: example))
            #expect(output.standardError.isEmpty)
        }
    }

    @Test func `the commands in the examples have no fault`() throws {
        let lines: [Substring] = blocks("sh").flatMap { $0.split(separator: "\n") }
        let commands = lines.filter { $0.contains("waf-token-proxy run") }
        #expect(commands.count >= 4)
        let files = ["users": "ann:$2b$04$YYFgcN7InNDquguwvNBbyOfhFg8j7n20dHz5RSxp56V6qtvNkadY."]
        for command in commands {
            var words: [String] = try #require(CommandWords.split(String(command)))
            var environment: [String: String] = [:]
            while let first = words.first, let equals = first.firstIndex(of: "=") {
                environment[String(first[..<equals])] = String(first[first.index(after: equals)...])
                words.removeFirst()
            }
            let output = try #require(printed(["check"] + Array(words.dropFirst(2)), environment, files: files))
            #expect(output.standardError.isEmpty, "\(command)")
        }
    }

    @Test func `the example of exec has no fault`() throws {
        let lines: [Substring] = blocks("sh").flatMap { $0.split(separator: "\n") }
        let commands = lines.filter { $0.contains("waf-token-proxy exec") }
        #expect(commands.count == 1)
        for command in commands {
            let words: [String] = try #require(CommandWords.split(String(command)))
            let invocation = Invocation(arguments: Array(words.dropFirst()), environment: [:], files: files([:]))
            guard case .exec(_, _, let program, let warnings) = invocation else {
                Issue.record("refused: \(command)")
                return
            }
            #expect(program == ["pytest"] && warnings.isEmpty)
        }
    }

    @Test func `every flag that is named is one`() throws {
        // Of other programs, and of the program in the example of a command.
        let others: Set<Substring> = [
            "--cacert", "--request-target", "--noproxy", "--unix-socket", "--stage", "--build", "--now",
        ]
        for word in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "-") })
        where word.hasPrefix("--") && word.count > 3 && !others.contains(word) {
            let known = DeclaredCase.all.contains { $0.flag == word || $0.offFlag == String(word) }
            #expect(known, "\(word)")
        }
    }

    /// The contents of the fenced blocks of a language.
    private func blocks(_ language: String) -> [String] {
        let parts: [Substring] = text.split(separator: "```", omittingEmptySubsequences: false)
        return parts.indices.compactMap { index in
            index % 2 == 1 && parts[index].hasPrefix("\(language)\n")
                ? String(parts[index].dropFirst(language.count + 1)) : nil
        }
    }
}
