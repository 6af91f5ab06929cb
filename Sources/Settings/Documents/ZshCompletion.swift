/// Completion for zsh: a file `_waf-token-proxy` in `fpath`, or sourced after `compinit`.
enum ZshCompletion {
    static var script: String {
        let commands = Command.allCases.map { command in
            "        " + Shell.zsh.quoted("\(command.rawValue):\(escaped(command.declaration.help))")
        }
        return """
            #compdef \(Product.name)
            # Made by: \(Product.name) completion zsh
            _\(Product.name)() {
                local -a ours=( # not `commands`: that is zsh's own
            \(commands.joined(separator: "\n"))
                )
                if ((CURRENT == 2)); then
                    _describe command ours
                    _arguments '--help[Prints help.]' '--version[Prints the version.]'
                    return
                fi
                local command=$words[2] end=${words[(i)--]}
                if ((end < CURRENT)); then # what follows is another program's
                    words=("${(@)words[end + 1,-1]}")
                    ((CURRENT -= end))
                    _normal
                    return
                fi
                shift words
                ((CURRENT--))
                case $command in
            \(Command.allCases.map(branch).joined(separator: "\n"))
                esac
            }
            if [[ ${funcstack[1]-} == _\(Product.name) ]]; then
                _\(Product.name) "$@"
            else
                compdef _\(Product.name) \(Product.name)
            fi

            """
    }

    private static func branch(_ command: Command) -> String {
        var specifications = OptionEntry.of(command).flatMap(specifications)
        specifications += ["--help[Prints help.]", "--version[Prints the version.]"]
        if !command.declaration.words.isEmpty {
            specifications.append("1:what:(\(command.declaration.words.joined(separator: " ")))")
        }
        let lines = specifications.map { "                \(Shell.zsh.quoted($0))" }.joined(separator: " \\\n")
        return """
                    \(command.rawValue))
                        _arguments \\
            \(lines)
                        ;;
            """
    }

    /// Arguments of `_arguments` (zshcompsys(1)): `--flag=` takes its value behind the sign or as the next word.
    private static func specifications(_ option: OptionEntry) -> [String] {
        let help = "[\(escaped(option.help))]"
        let more = option.isRepeatable ? "*" : ""
        let message = escaped(option.placeholder)
        switch option.value {
        case .none: return [option.flag, option.negation].compactMap { $0 }.map { $0 + help }
        case .words(let words):
            return ["\(more)\(option.flag)=\(help):\(message):(\(words.joined(separator: " ")))"]
        case .file: return ["\(more)\(option.flag)=\(help):\(message):_files"]
        case .text: return ["\(more)\(option.flag)=\(help):\(message): "]
        }
    }

    /// Brackets would end the explanation, a colon the part that it stands in.
    private static func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
