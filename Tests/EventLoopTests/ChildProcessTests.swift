import EventLoop
import Testing

@Suite struct ChildProcessTests {
    private func run(
        _ arguments: [String], environment: [String] = ["PATH=/usr/bin:/bin"], timeout: Duration = .seconds(20),
        cap: Int = 65536
    ) async throws -> ChildResult {
        try await onLoop { loop in
            try await ChildProcess.run(arguments, environment: environment, timeout: timeout, cap: cap, on: loop)
        }
    }

    @Test("output, errors and exit status come back, and the environment is only what was given")
    func runs() async throws {
        let result = try await run(
            ["sh", "-c", "echo out $WORD; echo err >&2; env | grep -c HOME; exit 3"],
            environment: ["PATH=/usr/bin:/bin", "WORD=given"])
        #expect(String(decoding: result.output, as: UTF8.self) == "out given\n0\n")
        #expect(String(decoding: result.errors, as: UTF8.self) == "err\n")
        #expect(result.exitStatus == 3)
        #expect(!result.didTimeOut)
    }

    @Test("arguments are passed as they are, without a shell")
    func noShell() async throws {
        let result = try await run(["printf", "%s|", "a b", "$HOME", "*"])
        #expect(String(decoding: result.output, as: UTF8.self) == "a b|$HOME|*|")
    }

    @Test("a program that does not exist is an error that names it")
    func missing() async throws {
        await #expect(throws: SystemError.self) { _ = try await run(["/no/such/program"]) }
    }

    @Test("a child that outlives its time is killed with all that it started")
    func timeout() async throws {
        let result = try await run(["sh", "-c", "sleep 3600 & sleep 3600"], timeout: .milliseconds(100))
        #expect(result.didTimeOut)
        #expect(result.signal == 9)
    }

    @Test("more output than the cap is read but not kept")
    func cap() async throws {
        let result = try await run(["head", "-c", "1000000", "/dev/zero"], cap: 1000)
        #expect(result.output.count == 1000)
        #expect(result.outputIsCut)
        #expect(result.exitStatus == 0)
    }
}
