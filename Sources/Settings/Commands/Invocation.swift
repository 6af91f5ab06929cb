/// What the program is asked to do, with everything it needs to know for it.
///
/// `Invocation(arguments:environment:)` reads the configuration file and files with secrets, and touches nothing else.
public enum Invocation: Sendable {
    /// Run the proxy; the warnings belong into the log.
    case run(EffectiveSettings, warnings: [String])
    /// Run emulator and proxy; `proxy` holds the log's settings and defaults.
    case demo(DemoSettings, proxy: EffectiveSettings)
    /// Run the emulator.
    case emulator(EmulatorSettings, log: LogSettings)
    /// Explain what would become of a request for the URL.
    case explain(EffectiveSettings, url: String)
    /// Ask a running proxy whether it is ready.
    case ready(ClientSettings, AdminTarget)
    /// Show or change a running proxy's tokens.
    case token(TokenVerb, ClientSettings, AdminTarget)
    /// Show the certificate authority, or hand out what clients have to trust.
    case ca(CAVerb, EffectiveSettings, CASettings, ClientSetupSettings)
    /// Run a program with the proxy; the warnings belong into the log.
    case exec(EffectiveSettings, ClientSetupSettings, program: [String], warnings: [String])
    /// Print the variables that tell clients of the proxy; a target is to be asked where the proxy listens.
    case env(ClientSetupSettings, listen: [ListenAddress], AdminTarget?)
    /// Print this and end: help, version, the result of `check`, or what was wrong.
    case print(Output)

    /// Texts for the two standard streams, each empty or ending in a line end, and the status to end with.
    public struct Output: Sendable, Equatable {
        /// For standard output.
        public var standardOutput = ""
        /// For standard error.
        public var standardError = ""
        /// Status to end with.
        public var exitCode = ExitCode.success
    }

    /// Reads a command line (without the program's name) with the environment and files of this process.
    ///
    /// `again`: they were read before; pipes and terminals, which cannot be read twice, are then faults.
    public init(
        arguments: [String], environment: [String: String] = ProcessEnvironment.current(), again: Bool = false
    ) {
        self.init(arguments: arguments, environment: environment, files: again ? .posixAgain : .posix)
    }

    init(arguments: [String], environment: [String: String], files: FileAccess) {
        guard let first = arguments.first else {
            self = .print(Output(standardError: HelpText.overview, exitCode: .usage))
            return
        }
        guard let command = Command(rawValue: first) else {
            self = .print(Self.withoutCommand(first))
            return
        }
        let flags = FlagReader(Array(arguments.dropFirst()), for: command)
        if flags.wantsHelp {
            self = .print(Output(standardOutput: HelpText.text(for: command)))
        } else if flags.wantsVersion {
            self = .print(Self.version)
        } else {
            self = Self.perform(command, flags, environment, files)
        }
    }

    private static func perform(
        _ command: Command, _ flags: FlagReader, _ environment: [String: String], _ files: FileAccess
    ) -> Invocation {
        switch command {
        case .version:
            return .print(flags.faults.isEmpty ? version : refusal(flags.faults))
        case .completion:
            return .print(flags.faults.isEmpty ? completion(flags.operands.first) : refusal(flags.faults))
        case .man:
            return .print(
                flags.faults.isEmpty ? Output(standardOutput: ManPage.roff) : refusal(flags.faults))
        case .help:
            return .print(flags.faults.isEmpty ? help(flags.operands.first) : refusal(flags.faults))
        case .exec:
            let result = SettingsLoader(command: command, environment: environment, files: files).load(flags: flags)
            return exec(flags.operands, result)
        case .env:
            let result = SettingsLoader(command: command, environment: environment, files: files).load(flags: flags)
            return env(result)
        case .ready, .token:
            let result = SettingsLoader(command: command, environment: environment, files: files).load(flags: flags)
            return ask(command, flags, result)
        case .ca:
            let result = SettingsLoader(command: command, environment: environment, files: files).load(flags: flags)
            return authority(flags, result)
        case .run, .demo, .emulator, .check:
            let result = SettingsLoader(command: command, environment: environment, files: files).load(flags: flags)
            if command == .check {
                guard result.faults.isEmpty, let url = result.root.client.url else {
                    return .print(CheckReport.output(result))
                }
                return .explain(result.root.proxy, url: url)
            }
            guard result.faults.isEmpty else { return .print(refusal(result.faults)) }
            if command == .demo { return .demo(result.root.demo, proxy: result.root.proxy) }
            if command == .emulator { return .emulator(result.root.emulator, log: result.root.proxy.log) }
            return .run(result.root.proxy, warnings: result.warnings)
        }
    }

    /// The commands that talk to a running proxy.
    private static func ask(_ command: Command, _ flags: FlagReader, _ result: SettingsLoader.Result) -> Invocation {
        var faults = result.faults
        let (client, admin) = (result.root.client, result.root.proxy.admin)
        var target: AdminTarget?
        if let listener = client.admin ?? admin.listen, listener.isReachable {
            target = AdminTarget(listener: listener, token: admin.token)
        } else if faults.isEmpty {
            faults.append(
                Fault("--admin", nil, "needed, as admin.listen does not say where the running proxy's listener is"))
        }
        let verb = flags.operands.first.flatMap(TokenVerb.init)
        if command == .token, verb == nil { faults.append(noVerb(command, flags.operands.first)) }
        guard faults.isEmpty, let target else { return .print(refusal(faults)) }
        guard let verb else { return .ready(client, target) }
        return .token(verb, client, target)
    }

    private static func authority(_ flags: FlagReader, _ result: SettingsLoader.Result) -> Invocation {
        var faults = result.faults
        let verb = flags.operands.first.flatMap(CAVerb.init)
        var ca = result.root.ca
        ca.folder = flags.operands.dropFirst().first
        if verb == nil { faults.append(noVerb(.ca, flags.operands.first)) }
        if verb == .trustKit {
            if ca.folder == nil { faults.append(Fault("ca trust-kit", nil, "needs the folder to write into")) }
            if let fault = noAddress(result) { faults.append(fault) }
        } else if let surplus = ca.folder {
            faults.append(Fault(surplus, nil, "unexpected argument; it is `ca trust-kit` that takes a folder"))
        }
        guard faults.isEmpty, let verb else { return .print(refusal(faults)) }
        return .ca(verb, result.root.proxy, ca, result.root.clientSetup)
    }

    /// A command that was not told what to do, or something that it does not do.
    private static func noVerb(_ command: Command, _ given: String?) -> Fault {
        let known = command.declaration.words
        return given.map { Fault.unknown("action of \(command.rawValue)", $0, nil, known: known) }
            ?? Fault(command.rawValue, nil, "needs one of " + known.joined(separator: ", "))
    }

    private static func exec(_ program: [String], _ result: SettingsLoader.Result) -> Invocation {
        var faults = result.faults
        if program.isEmpty { faults.append(Fault("exec", nil, "needs a command to run behind --")) }
        guard faults.isEmpty else { return .print(refusal(faults)) }
        return .exec(result.root.proxy, result.root.clientSetup, program: program, warnings: result.warnings)
    }

    private static func env(_ result: SettingsLoader.Result) -> Invocation {
        var faults = result.faults
        let (setup, listen) = (result.root.clientSetup, result.root.proxy.listen)
        var target: AdminTarget?
        if let listener = result.root.client.admin {
            target = AdminTarget(listener: listener, token: nil)
        } else if let fault = noAddress(result) {
            faults.append(fault)
        }
        guard faults.isEmpty else { return .print(refusal(faults)) }
        return .env(setup, listen: listen, setup.proxy == nil ? target : nil)
    }

    /// Nobody could tell clients where the proxy is.
    private static func noAddress(_ result: SettingsLoader.Result) -> Fault? {
        guard result.root.clientSetup.proxy == nil, case .tcp(_, 0)? = result.root.proxy.listen.first else {
            return nil
        }
        return Fault("--proxy", nil, "needed, as listen leaves the port open")
    }

    private static func withoutCommand(_ first: String) -> Output {
        switch first {
        case "--help", "-h":
            return Output(standardOutput: HelpText.overview)
        case "--version", "-V":
            return version
        default:
            let fault = Fault.unknown("command", first, nil, known: Command.allCases.map(\.rawValue))
            return Output(standardError: "\(fault)\n", exitCode: .usage)
        }
    }

    private static func help(_ topic: String?) -> Output {
        guard let topic else { return Output(standardOutput: HelpText.overview) }
        if topic == "settings" { return Output(standardOutput: Reference.markdown) }
        if let command = Command(rawValue: topic) { return Output(standardOutput: HelpText.text(for: command)) }
        let known = Command.allCases.map(\.rawValue) + ["settings"]
        let fault = Fault.unknown("command", topic, nil, known: known)
        return Output(standardError: "\(fault)\n", exitCode: .usage)
    }

    private static func completion(_ name: String?) -> Output {
        if let shell = name.flatMap(Shell.init) { return Output(standardOutput: shell.completion) }
        let known = Shell.allCases.map(\.rawValue)
        return refusal([
            name.map { Fault.unknown("shell", $0, nil, known: known) }
                ?? Fault("completion", nil, "needs one of " + known.joined(separator: ", "))
        ])
    }

    private static func refusal(_ faults: [Fault]) -> Output {
        Output(standardError: faults.map { "\($0)\n" }.joined(), exitCode: .usage)
    }

    private static var version: Output {
        Output(standardOutput: "\(Product.name) \(Product.version)\n")
    }
}
