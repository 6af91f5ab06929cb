internal import EventLoop
internal import Glibc
internal import Settings

/// Reads the command line and does what it says. Everything the program prints before it serves comes from `Settings`.
@main
enum Main {
    static func main() async {
        StandardStreams.fillGaps()
        FreedPages.keep()
        let invocation = Invocation(arguments: Array(CommandLine.arguments.dropFirst()))
        var code: ExitCode
        if case .print = invocation {} else { requireDescriptors() }
        switch invocation {
        case .run(let settings, let warnings):
            code = await RunCommand.run(settings, warnings: warnings)
        case .demo(let demo, let base):
            code = await DemoCommand.run(demo, base: base)
        case .emulator(let settings, let log):
            code = await EmulatorCommand.run(settings, log: log)
        case .explain(let settings, let url):
            code = ExplainCommand.run(url, settings)
        case .ready(let client, let target):
            code = await ReadyCommand.run(client, target)
        case .token(let verb, let client, let target):
            code = await TokenCommand(verb, client).run(target)
        case .ca(let verb, let settings, let ca, let setup):
            code = CACommand.run(verb, settings, ca, setup)
        case .exec(let settings, let setup, let program, let warnings):
            exit(await ExecCommand.run(settings, setup, program, warnings: warnings))
        case .env(let setup, let listen, let target):
            code = await EnvCommand.run(setup, listen: listen, target)
        case .print(let output):
            Terminal.write(output.standardOutput, to: STDOUT_FILENO)
            Terminal.write(output.standardError, to: STDERR_FILENO)
            code = output.exitCode
        }
        if let fault = Terminal.outputFault {
            Terminal.complain("standard output cannot be written: \(fault)")
            if code == .success { code = .failure }
        }
        exit(code.rawValue)
    }

    /// What starts event loops cannot even fail in order without a few descriptors.
    private static func requireDescriptors() {
        let limit = DescriptorLimit.raise()
        guard limit < DescriptorLimit.least else { return }
        let least = DescriptorLimit.least
        Terminal.complain("the limit of open files (ulimit -n) is \(limit); at least \(least) are needed")
        exit(ExitCode.unavailable.rawValue)
    }
}
