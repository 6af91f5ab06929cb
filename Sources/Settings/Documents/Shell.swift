/// Shells that `completion` has a script for.
public enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish

    /// The script, to be sourced or put where the shell looks for completions.
    var completion: String {
        let script =
            switch self {
            case .bash: BashCompletion.script
            case .zsh: ZshCompletion.script
            case .fish: FishCompletion.script
            }
        return script
    }

    /// A text in single quotes. fish knows the backslash inside of them, too.
    func quoted(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "'": result += self == .fish ? "\\'" : "'\\''"
            case "\\" where self == .fish: result += "\\\\"
            default: result.append(character)
            }
        }
        return "'\(result)'"
    }
}
