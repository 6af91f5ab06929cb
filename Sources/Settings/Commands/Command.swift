/// What the program can be asked to do. Adding a command is one case here and one entry in `Command.declaration`.
public enum Command: String, Sendable, CaseIterable {
    /// The proxy.
    case run
    /// Emulator and proxy together.
    case demo
    /// The protected origin and token issuer alone.
    case emulator
    /// Validates the settings.
    case check
    /// Asks a running proxy whether it is ready.
    case ready
    /// Shows and changes a running proxy's tokens.
    case token
    /// Shows and hands out the certificate authority.
    case ca
    /// Runs another program with the proxy.
    case exec
    /// Prints the variables that tell clients of the proxy.
    case env
    /// Prints a script for a shell's completion.
    case completion
    /// Prints the man page.
    case man
    /// Prints the version.
    case version
    /// Prints help.
    case help

    /// The commands that read the settings of `run`, with the same flags.
    static let likeRun: Set<Command> = [.run, .check, .ca]

    /// What is known of a command.
    struct Declaration {
        /// What follows the command's name.
        var synopsis = "[options]"
        /// One sentence.
        let help: String
        /// Whether it reads the configuration file.
        var readsFile = false
        /// How many words may follow that are no flags.
        var operands = 0
        /// What the first of them may be; empty if nobody can say.
        var words: [String] = []
        /// Whether a program to run, with its arguments, stands behind `--`.
        var runsProgram = false
    }

    var declaration: Declaration {
        switch self {
        case .run:
            Declaration(help: "Runs the proxy.", readsFile: true)
        case .demo:
            Declaration(
                synopsis: "[--once] [options]",
                help: "Runs emulator and proxy on free loopback ports, to try things out.")
        case .emulator:
            Declaration(help: "Runs the built-in protected origin and token issuer alone.", readsFile: true)
        case .check:
            Declaration(
                help: "Validates the settings and prints where each came from; --url explains one request.",
                readsFile: true)
        case .ready:
            Declaration(
                help: "Asks a running proxy whether it is ready: status 0, or 1 if not, 69 without an answer.",
                readsFile: true)
        case .token:
            Declaration(
                synopsis: TokenVerb.allCases.map(\.rawValue).joined(separator: "|") + " [options]",
                help: "Shows, fetches, hands over or expires a running proxy's tokens.", readsFile: true, operands: 1,
                words: TokenVerb.allCases.map(\.rawValue))
        case .ca:
            Declaration(
                synopsis: "show|export|trust-kit DIR [options]",
                help: "Shows the certificate authority, or hands out what clients have to trust.", readsFile: true,
                operands: 2, words: CAVerb.allCases.map(\.rawValue))
        case .exec:
            Declaration(
                synopsis: "[options] -- COMMAND [ARGUMENT...]",
                help: "Runs a command with a proxy of its own, of which variables tell; ends with its status.",
                readsFile: true, runsProgram: true)
        case .env:
            Declaration(
                help: "Prints the variables by which clients find and trust a running proxy.", readsFile: true)
        case .completion:
            Declaration(
                synopsis: Shell.allCases.map(\.rawValue).joined(separator: "|"),
                help: "Prints a script for a shell's completion.", operands: 1, words: Shell.allCases.map(\.rawValue))
        case .man:
            Declaration(synopsis: "", help: "Prints the man page, for man -l or a file.")
        case .version:
            Declaration(synopsis: "", help: "Prints the version.")
        case .help:
            Declaration(
                synopsis: "[COMMAND|settings]", help: "Explains a command, or lists every setting.", operands: 1,
                words: Command.allCases.map(\.rawValue) + ["settings"])
        }
    }
}

extension Command {
    /// Whether it needs whole providers.
    var usesProviders: Bool { Self.likeRun.contains(self) || self == .exec }
}
