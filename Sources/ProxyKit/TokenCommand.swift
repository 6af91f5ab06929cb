internal import EventLoop
internal import Settings
internal import WAFTokens

/// Runs a token command as a child process of the proxy, on one of its loops.
enum TokenCommand {
    static func run(
        _ command: ExecTokenSource.Command, on loop: EventLoop
    ) async throws(SourceError) -> ExecTokenSource.Ending {
        let parent = ProcessEnvironment.current().map { (name: $0.key, value: $0.value) }
        let variables = ExecTokenSource.environment(from: parent, adding: command.additions)
        let result: Result<ChildResult, SystemError> = await loop.run {
            do throws(SystemError) {
                return .success(
                    try await ChildProcess.run(
                        command.arguments, environment: variables.map { "\($0.name)=\($0.value)" },
                        timeout: command.timeout, cap: command.outputLimit, on: loop))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let child):
            return ExecTokenSource.Ending(
                exitStatus: child.exitStatus, output: child.output, errors: child.errors,
                outputIsCut: child.outputIsCut, didTimeOut: child.didTimeOut)
        case .failure(let error):
            throw SourceError(.internalError, "the command cannot be started: \(error)")
        }
    }
}
