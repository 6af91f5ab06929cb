import Glibc
import Testing

@testable import EventLoop

@Suite struct ForegroundChildTests {
    private func run(_ words: [String], _ environment: [String] = ["PATH=/usr/bin:/bin"]) async throws
        -> ForegroundChild.Ending
    {
        try await onLoop { loop in
            try await ForegroundChild(loop: loop, words, environment: environment).ended()
        }
    }

    @Test func `its end is told, a signal apart from a status`() async throws {
        #expect(try await run(["sh", "-c", "exit 3"]) == .exited(3))
        #expect(try await run(["sh", "-c", "kill -USR1 $$"]) == .signalled(SIGUSR1))
    }

    @Test func `it has exactly the environment that it is given`() async throws {
        #expect(try await run(["sh", "-c", "test \"$A\" = 'x y'"], ["A=x y", "PATH=/usr/bin:/bin"]) == .exited(0))
        #expect(try await run(["/bin/sh", "-c", "test -z \"$HOME\""], []) == .exited(0))
    }

    @Test func `it is in our process group`() async throws {
        let script = "test \"$(ps -o pgid= -p $$ | tr -d ' ')\" = \(getpgrp())"
        #expect(try await run(["sh", "-c", script]) == .exited(0))
    }

    @Test func `a program that is not there, or cannot be run, is an error`() async throws {
        await #expect(throws: SystemError(errno: ENOENT, in: "no-such")) { try await run(["no-such"]) }
        await #expect(throws: SystemError(errno: EACCES, in: "/etc/passwd")) { try await run(["/etc/passwd"]) }
    }
}
