/// The man page, from the declarations of commands and settings.
enum ManPage {
    static var roff: String {
        """
        .TH \(Roff.text(Product.name.uppercased())) 1 \(Product.date) "\(Product.name) \(Product.version)" "User Commands"
        .SH NAME
        \(Roff.text(Product.name)) \\- forward proxy that keeps an AWS WAF token fresh and adds it
        .SH SYNOPSIS
        .B \(Roff.text(Product.name))
        .I COMMAND
        .RI [ OPTION ...]
        .SH DESCRIPTION
        \(Roff.paragraph(about))\
        .SH COMMANDS
        \(Command.allCases.map(command).joined())\
        .SH OPTIONS
        \(Roff.paragraph(spelling))\
        \(sections)\
        .SH EXIT STATUS
        \(ExitCode.allCases.map { Roff.entry(Roff.bold("\($0.rawValue)"), Roff.paragraph($0.meaning)) }.joined())\
        .SH SIGNALS
        \(signals.map { Roff.entry(Roff.bold($0.0), Roff.paragraph($0.1)) }.joined())\
        .SH FILES
        \(ConfigurationFile.searched.map { ".TP\n\(Roff.italic($0))\n" }.joined())\
        \(Roff.paragraph("The configuration file (YAML or JSON); the first that exists is read."))\
        .SH EXAMPLES
        \(examples.map(example).joined(separator: ".PP\n"))\
        .SH SEE ALSO
        .BR curl (1),
        .BR systemd.service (5)

        """
    }

    private static let about = """
        Clients stay as they are and set http_proxy. The proxy gets a token from a source that you name, keeps it fresh, and \
        adds it as the cookie aws-waf-token to requests for the hosts that you list. When the endpoint answers with a \
        challenge all the same, it gets a newer token and sends the request once more. All other traffic passes through \
        untouched. It solves no challenge and no CAPTCHA, and touches no host that is not listed.
        """

    private static let spelling = """
        A flag beats an environment variable, a variable beats the configuration file, the file beats the default. A value \
        stands behind the flag or behind an equals sign. Flags and variables of a provider describe the one named default; \
        further ones stand in the file.
        """

    private static let signals = [
        ("SIGTERM, SIGINT", "No new connection is accepted, requests under way get limits.drainSec to end."),
        ("the same again", "Ends at once."),
    ]

    private static let examples = [
        ("Try it without an AWS account:", "demo"),
        ("A token service:", "run --host shop.test --token-url http://127.0.0.1:9000/token"),
        ("A command that prints the token:", "run --host shop.test --token-command 'get-token --stage ci'"),
        ("Wait until there is a token:", "ready --wait 10"),
    ]

    private static func example(_ text: String, _ arguments: String) -> String {
        "\(Roff.text(text))\n.PP\n.RS 4\n.EX\n\(Roff.text("\(Product.name) \(arguments)"))\n.EE\n.RE\n"
    }

    private static func command(_ command: Command) -> String {
        let declaration = command.declaration
        let synopsis = declaration.synopsis.isEmpty ? "" : " " + Roff.text(declaration.synopsis)
        var body = Roff.paragraph(declaration.help)
        let flags = OptionEntry.of(command).map { Roff.bold($0.flag) }
        if !flags.isEmpty { body += Roff.lines("Options: " + flags.joined(separator: ", ") + ".") }
        return Roff.entry(Roff.bold(command.rawValue) + synopsis, body)
    }

    /// The options, in the groups of the reference.
    private static var sections: String {
        let provider = Declaration.providerSettings.map(OptionEntry.init)
        let settings = Declaration.settings.map(OptionEntry.init)
        let isProxy: (OptionEntry) -> Bool = { $0.commands.contains(.run) }
        return ".SS The provider\n" + provider.map(option).joined() + ".SS The proxy\n"
            + settings.filter(isProxy).map(option).joined() + ".SS Other commands\n"
            + settings.filter { !isProxy($0) }.map(option).joined()
            + ".SS All commands\n"
            + Roff.entry("\(Roff.bold("--help")), \(Roff.bold("-h"))", "Prints help.\n")
            + Roff.entry("\(Roff.bold("--version")), \(Roff.bold("-V"))", "Prints the version.\n")
    }

    private static func option(_ option: OptionEntry) -> String {
        var term = Roff.bold(option.flag)
        if let negation = option.negation { term += ", " + Roff.bold(negation) }
        if !option.placeholder.isEmpty { term += " " + Roff.italic(option.placeholder) }
        var body = Roff.paragraph(option.help)
        if option.value != .none { body += Roff.paragraph("Takes \(option.allowed).") }
        if !option.defaultText.isEmpty { body += Roff.paragraph("Default: \(option.defaultText).") }
        body += Roff.paragraph("Variable: \(option.variables.joined(separator: ", ")).")
        if let key = option.key { body += Roff.paragraph("Key: \(key).") }
        if !option.commands.contains(.run) {
            let names = Command.allCases.filter(option.commands.contains).map(\.rawValue)
            body += Roff.paragraph("For \(names.joined(separator: ", ")).")
        }
        return Roff.entry(term, body)
    }
}
