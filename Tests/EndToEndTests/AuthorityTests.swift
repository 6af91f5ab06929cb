import Foundation
import Testing

/// The certificate authority on disk, by the commands that show it and hand it out.
@Suite(.timeLimit(.minutes(10)))
struct AuthorityTests {
    private func run(
        _ rig: Rig, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (status: ExitStatus, output: String, errors: String) {
        let process = try rig.launchBinary("authority", ["ca"] + arguments, environment: environment)
        let status = try await process.exit(within: .seconds(20 * Places.patience))
        return (status, process.output.text, process.errors.text)
    }

    @Test("show and export make it where there is none, and speak of the same one")
    func showAndExport() async throws {
        try await Rig.with { rig in
            let yaml = try rig.write(
                """
                providers: [{ hosts: ["shop.test", "192.0.2.1:8443"], source: { type: file, path: token } }]
                intercept: { caDirectory: "\(rig.folder)/kept" }
                """, to: "settings.yaml")
            let shown = try await run(rig, ["show", "--config", yaml])
            #expect(shown.status == .exited(0) && shown.errors.isEmpty, "\(shown.errors)")
            #expect(shown.output.contains("permits   shop.test and *.shop.test, 192.0.2.1\n"), "\(shown.output)")
            let printed = try await run(rig, ["export", "--config", yaml])
            #expect(printed.status == .exited(0))
            let file = "\(rig.folder)/ca.pem"
            let written = try await run(rig, ["export", "--config", yaml, "--out", file])
            #expect(written.status == .exited(0) && written.output.isEmpty)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == printed.output)
            let openssl = try await rig.run(
                "openssl", ["x509", "-in", file, "-noout", "-fingerprint", "-sha256"], within: .seconds(20))
            let digits = String(decoding: openssl.output, as: UTF8.self).split(separator: "=").last ?? ""
            #expect(shown.output.contains(digits.trimmingCharacters(in: .newlines)))
        }
    }

    @Test("Without caDirectory it is kept below XDG_DATA_HOME, and the key is for this user alone")
    func defaultPlace() async throws {
        try await Rig.with { rig in
            let data = "\(rig.folder)/data"
            let shown = try await run(rig, ["show", "--host", "shop.test"], environment: ["XDG_DATA_HOME": data])
            #expect(shown.status == .exited(0), "\(shown.errors)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: data).sorted()
            #expect(files.map { ($0 as NSString).lastPathComponent }.suffix(2) == ["authority.pem", "lock"])
            for file in files {
                let mode = try FileManager.default.attributesOfItem(atPath: "\(data)/\(file)")[.posixPermissions]
                #expect((mode as? Int ?? 0o777) & 0o077 == 0, "\(file)")
            }
        }
    }

    @Test("Processes that start at once come to one authority and leave nothing half-written")
    func atOnce() async throws {
        try await Rig.with { rig in
            let kept = "\(rig.folder)/kept"
            let all = try (0..<20).map { _ in
                try rig.launchBinary("authority", ["ca", "export", "--host", "shop.test", "--ca-directory", kept])
            }
            for process in all {
                #expect(try await process.exit(within: .seconds(20 * Places.patience)) == .exited(0))
            }
            #expect(Set(all.map(\.output.text)).count == 1)
            let names = try FileManager.default.subpathsOfDirectory(atPath: kept)
                .map { ($0 as NSString).lastPathComponent }
            #expect(names.filter { $0.contains(".") || $0 == "lock" }.sorted() == ["authority.pem", "lock"])
        }
    }

    @Test("A process that does not let go of the lock is one line, not a program that hangs")
    func lockIsHeld() async throws {
        try await Rig.with { rig in
            let kept = "\(rig.folder)/kept"
            #expect(
                try await rig.run(Places.binary, ["ca", "show", "--host", "shop.test", "--ca-directory", kept]).status
                    == .exited(0))
            let folder = try #require(try FileManager.default.contentsOfDirectory(atPath: kept).first)
            try FileManager.default.removeItem(atPath: "\(kept)/\(folder)/authority.pem")
            let holder = try rig.launch(
                "holder", "flock", ["--no-fork", "\(kept)/\(folder)/lock", "sh", "-c", "echo held; exec sleep 600"])
            _ = try await eventually("the lock is held") { holder.output.text.contains("held") ? true : nil }
            let failed = try await rig.run(
                Places.binary, ["ca", "show", "--host", "shop.test", "--ca-directory", kept])
            #expect(failed.status == .exited(2))
            #expect(failed.errors.hasPrefix("waf-token-proxy: another process has held \(kept)/\(folder)/lock for 5 s"))
            #expect(failed.errors.split(separator: "\n").count == 1)
            await holder.stop()
        }
    }

    @Test(
        "A key that others can read, and one that is none, end the start with one line, and stay as they are",
        arguments: ["readable", "corrupt", "empty"])
    func unusable(kind: String) async throws {
        try await Rig.with { rig in
            let kept = ["--host", "shop.test", "--ca-directory", "\(rig.folder)/kept"]
            try #require(try await run(rig, ["show"] + kept).status == .exited(0))
            let folder = try #require(try FileManager.default.contentsOfDirectory(atPath: rig.folder + "/kept").first)
            let file = "\(rig.folder)/kept/\(folder)/authority.pem"
            if kind == "readable" {
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            } else {
                let whole = try String(contentsOfFile: file, encoding: .utf8)
                try (kind == "empty" ? "" : whole.replacing("MI", with: "IM")).write(
                    toFile: file, atomically: false, encoding: .utf8)
            }
            let before = try Data(contentsOf: URL(filePath: file))
            let failed = try await rig.run(
                Places.binary, ["run", "--listen", "127.0.0.1:0", "--token-file", "t"] + kept)
            #expect(failed.status == .exited(2))
            #expect(failed.errors.hasPrefix("waf-token-proxy: \(file) "), "\(failed.errors)")
            #expect(failed.errors.contains(kind == "readable" ? "has mode 644" : "holds no certificate authority"))
            #expect(failed.errors.split(separator: "\n").count == 1, "\(failed.errors)")
            #expect(!failed.errors.contains("PRIVATE KEY") && failed.output.isEmpty)
            #expect(try Data(contentsOf: URL(filePath: file)) == before)
        }
    }

    @Test("A write that fails is one line, and leaves no file behind")
    func writeFails() async throws {
        try await Rig.with { rig in
            let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" ca show --host shop.test --ca-directory \"$1\""
            let failed = try await rig.run("sh", ["-c", script, Places.binary, "\(rig.folder)/kept"])
            expectRefusal(failed.status, failed.errors, "\(rig.folder)/kept/", "file too large")
            try expectNoKey(in: rig.folder)
        }
    }

    @Test(
        "A full disk, or one that cannot be written, is one line with path, user and remedy",
        .enabled(if: canMount), arguments: [("size=4k", "no space left"), ("ro", "read-only file system")])
    func disk(options: String, reason: String) async throws {
        try await Rig.with { rig in
            // One block, and it is taken.
            let script = """
                mount -t tmpfs -o "$2" none "$1" || exit 99
                { head -c 4096 /dev/zero >"$1/fill"; } 2>/dev/null
                "$0" ca show --host shop.test --ca-directory "$1/kept"
                status=$?
                find "$1" -name '*.pem*'
                exit $status
                """
            let place = "\(rig.folder)/disk"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            let failed = try await rig.run(
                "unshare", ["--map-root-user", "--mount", "sh", "-c", script, Places.binary, place, options])
            expectRefusal(failed.status, failed.errors, place, reason)
            #expect(failed.output.isEmpty)
        }
    }

    @Test("Where export cannot write it says so and ends with 1")
    func exportFails() async throws {
        try await Rig.with { rig in
            let kept = ["--host", "shop.test", "--ca-directory", "\(rig.folder)/kept"]
            let result = try await run(rig, ["export", "--out", "/proc/none/ca.pem"] + kept)
            #expect(result.status == .exited(1))
            #expect(result.errors.hasPrefix("waf-token-proxy: /proc/none/ca.pem cannot be written as user "))
            #expect(result.errors.split(separator: "\n").count == 1)
        }
    }

    private func expectRefusal(_ status: ExitStatus, _ errors: String, _ path: String, _ reason: String) {
        #expect(status == .exited(2), "\(errors)")
        #expect(errors.split(separator: "\n").count == 1, "\(errors)")
        for part in ["waf-token-proxy: cannot write", path, "as user ", reason, "--ca-directory", "--ca-ephemeral"] {
            #expect(errors.contains(part), "\(errors)")
        }
    }

    private func expectNoKey(in folder: String) throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(!files.contains { $0.contains(".pem") }, "\(files)")
    }
}

/// Whether this user may mount something in a namespace of its own: many containers forbid it.
private let canMount: Bool = {
    var child: pid_t = 0
    let command: [String] = ["unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    guard posix_spawnp(&child, "unshare", &actions, nil, &words, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status == 0
}()
