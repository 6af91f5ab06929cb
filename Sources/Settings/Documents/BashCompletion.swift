/// Completion for bash 4 and newer.
enum BashCompletion {
    static var script: String {
        let commands = Command.allCases.map(\.rawValue).joined(separator: " ")
        return """
            # bash completion for \(Product.name); made by: \(Product.name) completion bash
            _waf_token_proxy() {
                local word=$2 before=$3 command=${COMP_WORDS[1]-} joined=false words='' at
                if ((COMP_CWORD == 1)); then
                    mapfile -t COMPREPLY < <(compgen -W '\(commands) --help --version' -- "$word")
                    return
                fi
                for ((at = 2; at < COMP_CWORD; at++)); do
                    if [[ ${COMP_WORDS[at]} == -- ]]; then # what follows is another program's
                        compopt -o default
                        return
                    fi
                done
                # bash takes --flag=value apart: the equals sign is a word of its own.
                if [[ $word == = ]]; then
                    joined=true word=''
                elif [[ $before == = ]]; then
                    joined=true before=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                case $command:$before in
            \(values)
                    *)
                        if $joined; then return; fi
                        case $command in
            \(flags)
                        esac
                        ;;
                esac
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
            }
            complete -F _waf_token_proxy \(Product.name)

            """
    }

    /// What stands behind a flag, by kind.
    private static var values: String {
        var files: [String] = []
        var texts: [String] = []
        var branches: [String] = []
        for command in Command.allCases {
            for option in OptionEntry.of(command) {
                let pattern = "\(command.rawValue):\(option.flag)"
                switch option.value {
                case .none: break
                case .words(let words):
                    branches.append("        \(pattern)) words='\(words.joined(separator: " "))' ;;")
                case .file: files.append(pattern)
                case .text: texts.append(pattern)
                }
            }
        }
        branches.append(
            """
                    \(alternatives(files)))
                        compopt -o filenames
                        mapfile -t COMPREPLY < <(compgen -f -- "$word")
                        return
                        ;;
                    \(alternatives(texts))) return ;;
            """)
        return branches.joined(separator: "\n")
    }

    /// What a command takes in any place.
    private static var flags: String {
        Command.allCases.map { command in
            let words = (command.declaration.words + FlagReader.flags(of: command)).joined(separator: " ")
            return "                \(command.rawValue)) words='\(words)' ;;"
        }.joined(separator: "\n")
    }

    private static func alternatives(_ patterns: [String]) -> String {
        patterns.joined(separator: " | \\\n            ")
    }
}
