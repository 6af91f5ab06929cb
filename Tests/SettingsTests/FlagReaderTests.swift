import Testing

@testable import Settings

@Suite struct FlagReaderTests {
    @Test func `values follow their flag or its equals sign, lists may be repeated`() throws {
        let result = load(
            .run,
            [
                "--host", "a.test,b.test", "--host=c.test", "--token-url", "http://i/", "--listen=127.0.0.1:1",
                "--listen", "[::1]:2",
            ])
        #expect(result.lines.isEmpty)
        #expect(result.provider?.hosts == ["a.test", "b.test", "c.test"])
        #expect(result.root.proxy.listen.map(\.description) == ["127.0.0.1:1", "[::1]:2"])
    }

    @Test(arguments: [
        (["--explain"], true), (["--no-explain"], false), (["--explain=true"], true), (["--explain=false"], false),
    ]) func `a switch stands alone, is negated or takes a value`(arguments: [String], value: Bool) {
        let result = load(.run, arguments)
        #expect(result.lines.isEmpty)
        #expect(result.root.proxy.explain == value)
    }

    @Test(arguments: [
        (["--threads"], "threads (--threads): needs a value; must be an integer from 0 to 256"),
        (["--threads", "--explain"], "threads (--threads): needs a value; must be an integer from 0 to 256"),
        (["--threads", "1", "--threads", "2"], "threads (--threads): given twice; must be given once"),
        (["--explain", "--no-explain"], "explain (--no-explain): given twice; must be given once"),
        (["--no-explain=true"], "explain (--no-explain): takes no value"),
        (["--explain=yes"], #"explain (--explain): "yes" is not allowed; must be true or false"#),
        (["--threads="], #"threads (--threads): "" is not allowed; must be an integer from 0 to 256"#),
        (["-x"], "-x: unknown flag; see `waf-token-proxy help`"),
        (["shop.test"], "shop.test: unexpected argument; run takes flags"),
        (["--", "--explain"], "--explain: unexpected argument; run takes flags"),
        (["--once"], "--once: unknown flag"),
    ]) func `bad usage is one line`(arguments: [String], line: String) {
        let result = load(.run, arguments)
        #expect(result.faults.count == 1, "\(result.lines)")
        #expect(result.lines.first?.hasPrefix(line) == true, "\(result.lines)")
    }

    @Test(arguments: [
        ["--token-value", "s3cret"], ["--token-value=s3cret"], ["--token", "s3cret"], ["--waf-token=s3cret"],
        ["--headers", "X: s3cret"], ["--admin-token", "s3cret"], ["--token-body=s3cret"],
    ]) func `a secret given as a flag is refused and not repeated`(arguments: [String]) throws {
        let output = try #require(printed(["run"] + arguments))
        #expect(output.exitCode == .usage)
        #expect(!"\(output)".contains("s3cret"))
        #expect(output.standardError.split(separator: "\n").count == 1)
    }
}
