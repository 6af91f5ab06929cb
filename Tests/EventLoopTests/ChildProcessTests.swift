import EventLoop
import Foundation
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

    @Test("what a child left running behind it is killed when the time is up")
    func leftBehind() async throws {
        let result = try await run(["sh", "-c", "sleep 3600 & echo $!"], timeout: .milliseconds(300))
        #expect(result.didTimeOut)
        #expect(result.exitStatus == 0)
        let text = String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .newlines)
        #expect(await isGone(try #require(pid_t(text))))
    }

    @Test("the end of the loop is the end of a child that runs on it")
    func endsWithLoop() async throws {
        let file = NSTemporaryDirectory() + "child-\(UInt64.random(in: 0...UInt64.max))"
        defer { unlink(file) }
        let loop = try EventLoop(name: "test")
        loop.start()
        loop.spawn {
            _ = try? await ChildProcess.run(
                ["sh", "-c", "echo $$ > \(file).new; mv \(file).new \(file); sleep 3600"],
                environment: ["PATH=/usr/bin:/bin"], timeout: .seconds(3600), cap: 10, on: loop)
        }
        var pid: pid_t?
        for _ in 0..<1000 where pid == nil {
            pid = (try? String(contentsOfFile: file, encoding: .utf8)).flatMap {
                pid_t($0.trimmingCharacters(in: .newlines))
            }
            if pid == nil { try await Task.sleep(for: .milliseconds(10)) }
        }
        loop.stop()
        #expect(await isGone(try #require(pid)))
    }

    /// Whether the process ends, reaped by its new parent or not.
    private func isGone(_ pid: pid_t) async -> Bool {
        for _ in 0..<1000 {
            guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return true }
            if stat.contains(") Z ") { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test("more output than the cap is read but not kept")
    func cap() async throws {
        let result = try await run(["head", "-c", "1000000", "/dev/zero"], cap: 1000)
        #expect(result.output.count == 1000)
        #expect(result.outputIsCut)
        #expect(result.exitStatus == 0)
    }
}
