import Foundation
import Testing

/// Unchanged clients over HTTPS, started by `exec` with nothing else: a protected path of a listed host through the
/// interception, and a host that is not listed through a tunnel, with its own certificate.
@Suite(.timeLimit(.minutes(15)))
struct HTTPSClientTests {
    /// The two URLs print the same: nothing of the request, so that no token comes back.
    static let text = "status 200"
    static let listed = "https://shop.test/protected/status/200"
    static let unlisted = "https://open.shop.test/status/200"

    private func exec(
        _ rig: Rig, _ emulator: Emulator, _ program: [String]
    ) async throws -> (output: String, access: [JSON]) {
        let options =
            rig.execOptions(for: emulator) + [
                "--resolve", "open.shop.test:443=\(emulator.https)", "--log-level", "info", "--log-format", "json",
            ]
        // What clients trusted before is kept: here, the emulator's authority.
        let before = ["SSL_CERT_FILE": emulator.caFile, "NODE_EXTRA_CA_CERTS": emulator.caFile]
        let environment = ProxiedClient.environment(rig).merging(before) { $1 }
        // Java and Go compile first.
        let process = try rig.launchExec(options, environment: environment, program)
        let status = try await process.exit(within: .seconds(240) * Places.patience)
        #expect(status == .exited(0), "\(process.errors.text)")
        return (process.output.text, process.errors.records.filter { $0["method"].string != nil })
    }

    private func expectBoth(_ rig: Rig, _ program: (_ url: String) -> [String]) async throws {
        let emulator = try await rig.emulator()
        try await emulator.setRules([("/protected/", "challenge")])
        let first = try await exec(rig, emulator, program(Self.listed))
        #expect(first.output.contains(Self.text))
        let second = try await exec(rig, emulator, program(Self.unlisted))
        #expect(second.output.contains(Self.text))
        let requests = try await emulator.requests()
        let seen = requests.filter { $0["target"].string?.hasSuffix("/status/200") == true }
        #expect(seen.map { $0["host"].string } == ["shop.test", "open.shop.test"])
        #expect(seen.map { $0["tokenCount"].integer } == [1, 0])
        #expect(seen.map { $0["scheme"].string } == ["https", "https"])
        #expect(seen.first?["verdict"].string == "accepted")
        let served = first.access.filter { $0["path"].string == "/protected/status/200" }
        #expect(served.map { $0["scheme"].string } == ["https"])
        #expect(second.access.contains { $0["method"].string == "CONNECT" && $0["host"].string == "open.shop.test" })
        #expect(!second.access.contains { $0["path"].string == "/status/200" }, "nobody looked into the tunnel")
    }

    @Test("Each client reaches both hosts", arguments: ProxiedClient.allCases)
    func client(client: ProxiedClient) async throws {
        try await Rig.with { rig in
            try await expectBoth(rig) { client.words($0, cookie: "mine=1") }
        }
    }

    @Test("Chromium, once its database has the authority")
    func chromium() async throws {
        try await Rig.with { rig in
            let script = """
                set -e
                database=sql:$HOME/.pki/nssdb
                mkdir -p "$HOME/.pki/nssdb"
                [ -e "$HOME/.pki/nssdb/cert9.db" ] || certutil -d "$database" -N --empty-password
                for file in "${SSL_CERT_FILE%/*}/ca.pem" "$0"; do
                    certutil -d "$database" -A -t C,, -n "$file" -i "$file"
                done
                exec chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \\
                    --disable-background-networking --disable-component-update --disable-sync \\
                    --user-data-dir="$HOME/chromium-$$" --dump-dom "$1" 2>"$HOME/chromium-errors"
                """
            let folder = rig.folder
            try await expectBoth(rig) { ["sh", "-c", script, folder + "/ca.pem", $0] }
        }
    }

    /// Whether the installed Node takes `NODE_USE_ENV_PROXY` (24, and later releases of 22).
    static let nodeReadsVariables: Bool = {
        var status: Int32 = -1
        let question = "process.exit(process.allowedNodeEnvironmentFlags.has('--use-env-proxy') ? 0 : 1)"
        let arguments = ["node", "-e", question]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, "node", nil, nil, &words, environ) == 0 else { return false }
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }()

    @Test("Node's fetch, where Node reads the variables", .enabled(if: nodeReadsVariables))
    func nodeFetch() async throws {
        try await Rig.with { rig in
            try await expectBoth(rig) { ["node", Places.support("proxied_get.js"), $0, "mine=1", "fetch"] }
        }
    }

    // MARK: Clients that make many requests

    /// Runs `script` with `$0`, a folder of its own, once for each of the hosts; both are to succeed.
    private func expectBoth(_ rig: Rig, files: ProtectedFiles, script: String) async throws {
        rig.keepSecret("token-of-files")
        let options = files.execOptions(tokenFile: try rig.write("token-of-files", to: "token"))
        for (base, host) in [("https://files.test", "files.test"), ("https://open.test/open", "open.test")] {
            let result = try await rig.exec(
                options, environment: ["SSL_CERT_FILE": files.certificate], within: .seconds(120),
                ["sh", "-ec", script, Places.python, base, rig.folder + "/out-" + host])
            #expect(result.status == .exited(0), "\(host): \(result.errors)\(result.output)")
            #expect(files.tokens(host: host) == [host == "files.test"])
        }
    }

    private func prepare(_ rig: Rig, _ files: ProtectedFiles, _ script: String) async throws {
        let made = try await rig.run(
            "sh", ["-ec", script, Places.python, files.folder], environment: ["HOME": rig.folder])
        try #require(made.status == .exited(0), "\(made.errors)")
    }

    @Test("git clones a repository")
    func git() async throws {
        try await Rig.with { rig in
            let files = try await rig.protectedFiles()
            try await prepare(
                rig, files,
                """
                cd "$1"
                git init -q -b main source
                git -C source -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m "the only commit"
                git clone -q --bare source repository.git
                git -C repository.git update-server-info
                mkdir open
                cp -r repository.git open
                """)
            try await expectBoth(
                rig, files: files,
                script: "git clone -q \"$1/repository.git\" \"$2\"; git -C \"$2\" log | grep -q 'the only commit'")
        }
    }

    @Test("pip downloads a package")
    func pip() async throws {
        try await Rig.with { rig in
            let files = try await rig.protectedFiles()
            try await prepare(
                rig, files,
                """
                mkdir -p "$1/simple/a-thing" "$1/open"
                "$0" - "$1/simple/a-thing/a_thing-1.0-py3-none-any.whl" <<'END'
                import sys, zipfile
                with zipfile.ZipFile(sys.argv[1], "w") as wheel:
                    folder = "a_thing-1.0.dist-info/"
                    wheel.writestr(folder + "METADATA", "Metadata-Version: 2.1\\nName: a-thing\\nVersion: 1.0\\n")
                    wheel.writestr(folder + "WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
                    wheel.writestr(folder + "RECORD", "")
                END
                cp -r "$1/simple" "$1/open"
                """)
            try await expectBoth(
                rig, files: files,
                script: """
                    "$0" -m pip download -q --no-deps --no-cache-dir --disable-pip-version-check -d "$2" \
                        --index-url "$1/simple/" a-thing
                    test -e "$2/a_thing-1.0-py3-none-any.whl"
                    """)
        }
    }
}
