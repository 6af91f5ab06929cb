/// Completion for fish: a file in `completions/`, or sourced.
enum FishCompletion {
    static var script: String {
        var lines = [
            "# fish completion for \(Product.name); made by: \(Product.name) completion fish",
            "function __waf_token_proxy_command",
            "    set -l words (commandline -opc)",
            "    test (count $words) -ge 2; and contains -- $words[2] $argv",
            "end",
            "function __waf_token_proxy_no_command",
            "    test (count (commandline -opc)) -eq 1",
            "end",
            "complete -c \(Product.name) -f",
        ]
        for command in Command.allCases {
            lines.append(
                "complete -c \(Product.name) -n __waf_token_proxy_no_command -a \(command.rawValue)"
                    + " -d \(Shell.fish.quoted(command.declaration.help))")
        }
        for (flag, help) in [("help", "Prints help."), ("version", "Prints the version.")] {
            lines.append("complete -c \(Product.name) -l \(flag) -d '\(help)'")
        }
        for command in Command.allCases where !command.declaration.words.isEmpty {
            let words = command.declaration.words.joined(separator: " ")
            lines.append("\(start(command)) -a '\(words)'")
        }
        for command in Command.allCases where command.declaration.runsProgram {
            lines.append(
                "complete -c \(Product.name) -n '__waf_token_proxy_command \(command.rawValue); and contains -- --"
                    + " (commandline -opc)' -F -a '(__fish_complete_command)'")
        }
        for command in Command.allCases {
            for option in OptionEntry.of(command) { lines += completions(option, start(command)) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func start(_ command: Command) -> String {
        "complete -c \(Product.name) -n '__waf_token_proxy_command \(command.rawValue)'"
    }

    private static func completions(_ option: OptionEntry, _ start: String) -> [String] {
        let names = [option.flag, option.negation].compactMap { $0?.dropFirst(2) }
        let value =
            switch option.value {
            case .none: ""
            case .words(let words): " -x -a '\(words.joined(separator: " "))'"
            case .file: " -r -F"
            case .text: " -x"
            }
        return names.map { "\(start) -l \($0)\(value) -d \(Shell.fish.quoted(option.help))" }
    }
}
