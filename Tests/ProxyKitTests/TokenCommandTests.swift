import EventLoop
import Testing

@testable import ProxyKit
@testable import WAFTokens

@Suite struct TokenCommandTests {
    private func run(
        _ arguments: [String], timeout: Duration = .seconds(60), outputLimit: Int = 100
    ) async throws -> ExecTokenSource.Ending {
        let loop = try EventLoop(name: "token-command")
        loop.start()
        defer { loop.stop() }
        let command = ExecTokenSource.Command(
            arguments: arguments, additions: [(name: "ASKED_FOR", value: "shop")], timeout: timeout,
            outputLimit: outputLimit)
        return try await TokenCommand.run(command, on: loop)
    }

    @Test("outputs and status come back, and the command sees what it is told beside the proxy's own variables")
    func ending() async throws {
        let ending = try await run(["sh", "-c", #"printf %s "$ASKED_FOR:${PATH:+path}"; echo why >&2; exit 3"#])
        #expect(String(decoding: ending.output, as: UTF8.self) == "shop:path")
        #expect(String(decoding: ending.errors, as: UTF8.self) == "why\n")
        #expect(ending.exitStatus == 3 && !ending.outputIsCut && !ending.didTimeOut)
    }

    @Test("more output than the limit is cut, and told")
    func cut() async throws {
        let ending = try await run(["sh", "-c", "printf 12345"], outputLimit: 4)
        #expect(ending.output == Array("1234".utf8) && ending.outputIsCut)
    }

    @Test("a command that a signal ended has no exit status, and one that was killed for its time says so")
    func signalled() async throws {
        let killed = try await run(["sh", "-c", "kill -9 $$"])
        #expect(killed.exitStatus == nil && !killed.didTimeOut)
        let late = try await run(["sleep", "600"], timeout: .milliseconds(50))
        #expect(late.exitStatus == nil && late.didTimeOut)
    }

    @Test("a command that does not exist is an internal error that says it cannot be started")
    func missing() async throws {
        let error = await #expect(throws: SourceError.self) { try await run(["/no/such/command"]) }
        #expect(error?.code == .internalError)
        #expect(error?.detail.hasPrefix("the command cannot be started: ") == true)
    }
}
