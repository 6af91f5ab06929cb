import Foundation
import Testing

/// The rules for tokens, one run each where a rule crosses a process. Times are lower bounds only.
@Suite(.timeLimit(.minutes(10)))
struct TokenRuleTests {
    static let url = "http://shop.test/protected/get"
    /// Waits are known, and a failing source is not given up for the number of its calls.
    static let steady: JSON = ["retryJitter": "none", "fetchBudgetPerMinute": 0]

    private func calls(_ emulator: Emulator) async throws -> [JSON] {
        try await emulator.call("GET", "/v1/issuer/calls")["calls"].elements
    }

    private func gaps(_ calls: [JSON]) -> [Int] {
        let times = calls.map { $0["wallMsec"].integer ?? 0 }
        return zip(times, times.dropFirst()).map { $1 - $0 }
    }

    private func records(_ proxy: RunningProxy, _ message: String) -> [JSON] {
        proxy.process.output.records.filter { $0["msg"].string == message }
    }

    @Test("Before retry n it waits 100 ms × 2^(n-1), up to maxErrorTokenRefreshDelayMsec")
    func retrySchedule() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            try await emulator.setIssuer("fail", ["status": 500, "failures": 6])
            let proxy = try await rig.proxy(
                for: emulator,
                provider: Self.steady.merging(["keepWarm": true, "maxErrorTokenRefreshDelayMsec": 800]))
            let seen = try await eventually("no token after six failures") {
                let seen = try await calls(emulator)
                return seen.count >= 7 ? seen : nil
            }
            #expect(seen.prefix(7).map { $0["status"].integer } == [500, 500, 500, 500, 500, 500, 200])
            let bounds = [100, 200, 400, 800, 800, 800]
            let gaps = gaps(seen)
            #expect(zip(gaps, bounds).allSatisfy { $0 >= $1 }, "\(gaps)")
            let said = try await eventually("six failures are not in the log") {
                let said = records(proxy, "token fetch failed").map { $0["retry_in_ms"].integer }
                return said.count >= bounds.count ? said : nil
            }
            #expect(said == bounds)
            #expect(try await proxy.get(Self.url).status == 200)
        }
    }

    @Test("A token is refreshed tokenRefreshDelaySec after the last success")
    func refreshDelay() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(
                for: emulator, provider: Self.steady.merging(["keepWarm": true, "tokenRefreshDelaySec": 1]))
            let seen = try await eventually("no refresh") {
                let seen = try await calls(emulator)
                return seen.count >= 4 ? seen : nil
            }
            let gaps = gaps(seen)
            #expect(gaps.allSatisfy { $0 >= 1000 }, "\(gaps)")
            #expect(Set(seen.map { $0["tokenFingerprint"].string }).count == seen.count)
            #expect(records(proxy, "no requests: token refresh stops").isEmpty)
        }
    }

    @Test("Without requests the provider rests; the next request wakes it and waits for a fresh token")
    func idleAndReturn() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(
                for: emulator, provider: Self.steady.merging(["tokenRefreshDelaySec": 1]))
            #expect(try await proxy.get(Self.url).status == 200)
            _ = try await eventually("it does not rest") {
                records(proxy, "no requests: token refresh stops").first
            }
            let before = try await calls(emulator)
            try await Task.sleep(for: .milliseconds(2500))
            #expect(try await calls(emulator).count == before.count, "no call while nobody asks")

            try await emulator.setIssuer("delay", ["delayMsec": 600])
            let start = ContinuousClock.now
            #expect(try await proxy.get(Self.url).status == 200)
            let took = ContinuousClock.now - start
            #expect(took >= .milliseconds(600), "\(took)")
            let after = try await calls(emulator)
            let request = try await emulator.requests().last ?? .null
            #expect(request["tokenFingerprint"].string?.count == 8)
            // It was the first call since the rest; a slow machine may have seen the next refresh already.
            #expect(request["tokenFingerprint"] == after.dropFirst(before.count).first?["tokenFingerprint"])
            #expect(records(proxy, "requests again: token refresh goes on").count == 1)
        }
    }

    @Test("A token comes late: the request waits for it")
    func issuerDelay() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator, provider: Self.steady)
            #expect(try await proxy.get(Self.url).status == 200)
            try await emulator.setIssuer("delay", ["delayMsec": 700])
            try await emulator.call("PUT", "/v1/schedule", ["expireNow": true])
            let start = ContinuousClock.now
            #expect(try await proxy.get(Self.url).status == 200)
            let took = ContinuousClock.now - start
            #expect(took >= .milliseconds(700), "\(took)")
            #expect(
                try await emulator.requests().map { $0["verdict"].string } == ["accepted", "challenge", "accepted"])
        }
    }

    @Test("The source gives the same token after a challenge: the challenge is passed on, with the reason")
    func issuerSame() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator, provider: Self.steady)
            #expect(try await proxy.get(Self.url).status == 200)
            try await emulator.setIssuer("same")
            try await emulator.call("PUT", "/v1/schedule", ["expireNow": true])
            let response = try await proxy.get(Self.url)
            #expect(response.status == 202)
            #expect(response["x-amzn-waf-action"] == "challenge")
            let details = response["proxy-status"] ?? ""
            #expect(details.contains("source_returned_same_token"), "\(details)")
            #expect(try await emulator.requests().map { $0["verdict"].string } == ["accepted", "challenge"])
            let calls = try await calls(emulator)
            #expect(Set(calls.map { $0["tokenFingerprint"].string }).count == 1)
            _ = try await eventually("not in the log") {
                records(
                    proxy, "the token source gave the same token again after a challenge, which stays unresolved"
                )
                .first
            }
        }
    }

    @Test("A token that the origin takes for invalid: one newer token, one replay, and the challenge is passed on")
    func issuerCorrupt() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            try await emulator.setIssuer("corrupt")
            let proxy = try await rig.proxy(for: emulator, provider: Self.steady)
            let response = try await proxy.get(Self.url)
            #expect(response.status == 202)
            #expect(response["proxy-status"]?.contains("challenged_again") == true)
            let seen = try await emulator.requests()
            #expect(seen.map { $0["reason"].string } == ["TOKEN_INVALID", "TOKEN_INVALID"])
            #expect(Set(seen.map { $0["tokenFingerprint"].string }).count == 2)
        }
    }
}

/// Tokens from a file that is replaced.
@Suite(.timeLimit(.minutes(10)))
struct TokenFileTests {
    struct Made {
        let token: String
        let fingerprint: String
    }

    private func token(_ rig: Rig, _ emulator: Emulator) async throws -> Made {
        let made = try await emulator.call("POST", "/v1/tokens", ["state": "accepted", "domain": "shop.test"])
        let token = made["token"].string ?? ""
        rig.keepSecret(token)
        return Made(token: token, fingerprint: made["tokenFingerprint"].string ?? "")
    }

    private func fileProxy(_ rig: Rig, _ emulator: Emulator, _ path: String) async throws -> RunningProxy {
        try await rig.proxy(
            source: ["type": "file", "path": .string(path)], resolve: ["shop.test:80": emulator.http])
    }

    /// Asks until the origin sees the token `made`; it was accepted each time, whichever it was.
    private func expectSeen(_ made: Made, _ emulator: Emulator, _ proxy: RunningProxy) async throws {
        _ = try await eventually("the token in the file is not the one that is sent") {
            #expect(try await proxy.get(TokenRuleTests.url).status == 200)
            let last = try await emulator.requests().last ?? .null
            return last["tokenFingerprint"].string == made.fingerprint ? true : nil
        }
    }

    @Test("A file that is replaced by rename")
    func renamed() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let first = try await token(rig, emulator)
            let path = try rig.write(first.token + "\n", to: "shop.token")
            let proxy = try await fileProxy(rig, emulator, path)
            try await expectSeen(first, emulator, proxy)
            for _ in 0..<3 {
                let next = try await token(rig, emulator)
                let new = try rig.write(next.token + "\n", to: "shop.token.new")
                #expect(rename(new, path) == 0)
                try await expectSeen(next, emulator, proxy)
            }
            #expect(try await emulator.requests().allSatisfy { $0["verdict"].string == "accepted" })
        }
    }

    @Test("A file behind Kubernetes' ..data link, which is swapped")
    func dataLink() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let volume = rig.folder + "/volume"
            /// As the kubelet does it: a new folder, a new link beside `..data`, a rename over it, the old folder removed.
            func publish(_ made: Made, _ name: String, replacing old: String?) throws {
                try FileManager.default.createDirectory(
                    atPath: "\(volume)/\(name)", withIntermediateDirectories: true)
                try rig.write(made.token, to: "volume/\(name)/token")
                #expect(symlink(name, volume + "/..data_tmp") == 0)
                #expect(rename(volume + "/..data_tmp", volume + "/..data") == 0)
                if let old { try FileManager.default.removeItem(atPath: "\(volume)/\(old)") }
            }
            let first = try await token(rig, emulator)
            try publish(first, "..2026_1", replacing: nil)
            #expect(symlink("..data/token", volume + "/token") == 0)
            let proxy = try await fileProxy(rig, emulator, volume + "/token")
            try await expectSeen(first, emulator, proxy)
            for number in 2...3 {
                let next = try await token(rig, emulator)
                try publish(next, "..2026_\(number)", replacing: "..2026_\(number - 1)")
                try await expectSeen(next, emulator, proxy)
            }
            #expect(try await emulator.requests().allSatisfy { $0["verdict"].string == "accepted" })
        }
    }
}

/// Tokens from a command.
@Suite(.timeLimit(.minutes(10)))
struct TokenCommandTests {
    private static let secret = "exec-token-41c7"

    /// The command runs `source.sh`, which a test may replace.
    private func commandProxy(_ rig: Rig, _ odd: OddOrigin, timeoutMsec: Int = 10000) async throws -> RunningProxy {
        rig.keepSecret(Self.secret)
        return try await rig.proxy(
            source: [
                "type": "exec", "command": .string("/bin/sh '\(rig.folder)/source.sh'"),
                "timeoutMsec": .number(Double(timeoutMsec)),
            ],
            resolve: ["shop.test:80": odd.http],
            provider: TokenRuleTests.steady.merging(["whenNoToken": ["mode": "hold", "holdMsec": 1500]]))
    }

    private func failures(_ proxy: RunningProxy) -> [JSON] {
        proxy.process.output.records.filter { $0["msg"].string == "token fetch failed" }
    }

    @Test("A command's output is the token; it knows the domain and is told nothing of proxies")
    func works() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            try rig.write(
                """
                test "$AWS_WAF_DOMAIN_NAME" = shop.test || exit 3
                test -z "$http_proxy$https_proxy$WAF_TOKEN" || exit 4
                echo \(Self.secret)
                """, to: "source.sh")
            let proxy = try await commandProxy(rig, odd)
            let response = try await proxy.get("http://shop.test/head")
            #expect(response.status == 200)
            #expect(response.text.contains("Cookie: aws-waf-token=\(Self.secret)\r\n"))
            #expect(failures(proxy).isEmpty)
        }
    }

    /// A zombie, which nobody has waited for, runs no more.
    private func isRunning(_ pid: pid_t) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
        return !stat.contains(") Z ")
    }

    enum Fault: String, CaseIterable {
        case fails, printsTooMuch, printsNewline

        var script: String {
            switch self {
            case .fails: "echo \(secret); printf 'no luck:\\033[31m \\\\ \\n\\377' >&2; exit 7"
            case .printsTooMuch: "printf \(secret); head -c 1048576 /dev/zero | tr '\\0' a"
            case .printsNewline: "printf '\(secret)\\n\(secret)\\n'"
            }
        }

        var error: String { self == .fails ? "internalError" : "invalidVerifyChallengeResponse" }

        /// What the log says of it, in this order; what came from the command is escaped.
        var details: [String] {
            switch self {
            case .fails: [#"the command ended with status 7: no luck:\x1b[31m \\ \x0a\xff"#]
            case .printsTooMuch: ["the command wrote more than 65536 bytes"]
            case .printsNewline: ["the token has a byte at offset 15 that no cookie value may have"]
            }
        }
    }

    @Test(
        "A command that gives no token: 503 and a line in the log, and well again by itself", arguments: Fault.allCases)
    func faulty(fault: Fault) async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            try rig.write(fault.script, to: "source.sh")
            let proxy = try await commandProxy(rig, odd)
            let response = try await proxy.get("http://shop.test/head")
            #expect(response.status == 503)
            #expect(response["proxy-status"]?.contains("details=\"source_failed") == true)
            #expect(!response.text.contains(Self.secret))
            let line = try await eventually("nothing in the log") { failures(proxy).first }
            #expect(line["error"].string == fault.error)
            var rest = Substring(line["detail"].string ?? "")
            #expect(rest.utf8.allSatisfy { 0x20..<0x7f ~= $0 }, "\(line)")
            for detail in fault.details {
                let found = rest.range(of: detail)
                #expect(found != nil, "\(line)")
                if let found { rest = rest[found.upperBound...] }
            }
            #expect(try await odd.heads().isEmpty, "nothing reached the origin")

            let new = try rig.write("echo \(Self.secret)", to: "source.new")
            #expect(rename(new, rig.folder + "/source.sh") == 0)
            _ = try await eventually("it did not recover") {
                try await proxy.get("http://shop.test/head").status == 200 ? true : nil
            }
        }
    }

    @Test("A command that hangs is ended, with all that it started, when its time is up")
    func hangs() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let list = rig.folder + "/pids"
            try rig.write("sleep 300 & echo $$ $! >> '\(list)'; wait", to: "source.sh")
            let proxy = try await commandProxy(rig, odd, timeoutMsec: 300)
            let response = try await proxy.get("http://shop.test/head")
            #expect(response.status == 503)
            let details = response["proxy-status"] ?? ""
            #expect(details.contains("source_timeout") || details.contains("hold_timeout"), "\(details)")
            let line = try await eventually("nothing in the log") { failures(proxy).first }
            #expect(line["error"].string == "socketTimeoutException")
            #expect(line["duration_ms"].integer ?? 0 >= 300)
            let started =
                try String(contentsOfFile: list, encoding: .utf8)
                .split(separator: "\n").first?.split(separator: " ").compactMap { pid_t($0) } ?? []
            #expect(started.count == 2)
            for pid in started {
                _ = try await eventually("process \(pid) lives on") { isRunning(pid) ? nil : true }
            }
            #expect(try await odd.heads().isEmpty, "nothing reached the origin")
        }
    }
}
