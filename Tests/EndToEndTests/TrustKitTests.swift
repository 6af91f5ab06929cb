import Foundation
import Testing

/// `waf-token-proxy ca trust-kit`, for a proxy that runs elsewhere.
@Suite(.timeLimit(.minutes(5)))
struct TrustKitTests {
    @Test("A client that reads the kit's variables gets through a proxy with the same authority")
    func used() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let authority = rig.folder + "/authority"
            let proxy = try await rig.proxy(for: emulator, more: ["intercept": ["caDirectory": .string(authority)]])
            let kit = rig.folder + "/a kit"
            let made = try rig.launchBinary(
                "ca",
                [
                    "ca", "trust-kit", kit, "--proxy", "\(proxy.address)", "--ca-directory", authority, "--host",
                    "shop.test:*",
                ])
            #expect(try await made.exit() == .exited(0), "\(made.errors.text)")
            #expect(made.output.text.isEmpty && made.errors.text.isEmpty)
            let get = "curl -sS --fail -o /dev/null https://shop.test/get"
            let shell = try await rig.run("sh", ["-c", ". \"$0/env.sh\"; \(get)", kit])
            #expect(shell.status == .exited(0), "\(shell.errors)")
            let fish = try await rig.run(
                "fish", ["--no-config", "-c", "source \"$argv[1]/env.fish\"; \(get)", kit],
                environment: ["HOME": rig.folder])
            #expect(fish.status == .exited(0), "\(fish.errors)")
            let evaluated = try rig.launch(
                "sh", "sh",
                [
                    "-c", "eval \"$(\"$0\" env --proxy \(proxy.address) --trust-kit \"$1\")\"; \(get)", Places.binary,
                    kit,
                ])
            #expect(try await evaluated.exit() == .exited(0), "\(evaluated.errors.text)")
            #expect(try await emulator.requests(verdict: "accepted").count == 3)
        }
    }

    @Test("Paths are those under which clients see the kit")
    func mounted() async throws {
        try await Rig.with { rig in
            let kit = rig.folder + "/kit"
            let made = try rig.launchBinary(
                "ca", ["ca", "trust-kit", kit, "--trust-kit", "/trust", "--proxy", "proxy:8080", "--host", "shop.test"])
            #expect(try await made.exit() == .exited(0), "\(made.errors.text)")
            let variables = try String(contentsOfFile: kit + "/.env", encoding: .utf8)
            #expect(variables.contains("SSL_CERT_FILE='/trust/bundle.pem'\n"))
            #expect(variables.contains("https_proxy='http://proxy:8080'\n"))
            let wgetrc = try String(contentsOfFile: kit + "/wgetrc", encoding: .utf8)
            #expect(wgetrc == "ca_certificate = /trust/bundle.pem\n")
        }
    }

    @Test("A folder that cannot be written is one line")
    func unwritable() async throws {
        try await Rig.with { rig in
            let bad = try rig.launchBinary("ca", ["ca", "trust-kit", "/proc/kit", "--host", "shop.test"])
            #expect(try await bad.exit() == .exited(1))
            #expect(bad.errors.text.hasPrefix("waf-token-proxy: the trust kit cannot be written: /proc/kit: mkdir: "))
            #expect(bad.errors.text.split(separator: "\n").count == 1)
        }
    }

    @Test(
        "A full disk is one line and leaves nothing behind",
        .enabled(if: Places.patience == 1, "a sanitizer's own memory is a large file"))
    func noRoom() async throws {
        try await Rig.with { rig in
            // A limit on the size of files fails in the middle of one, as a disk without room does.
            let kit = rig.folder + "/kit"
            try FileManager.default.createDirectory(atPath: kit, withIntermediateDirectories: true)
            let script = "trap '' XFSZ; ulimit -f 20; exec \"$0\" ca trust-kit \"$1\" --host shop.test"
            let full = try await rig.run("sh", ["-c", script, Places.binary, kit], environment: ["HOME": rig.folder])
            #expect(full.status == .exited(1))
            #expect(full.errors.contains("the trust kit cannot be written"))
            #expect(full.errors.split(separator: "\n").count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: kit).isEmpty)
        }
    }

    @Test("What is missing is said")
    func usage() async throws {
        try await Rig.with { rig in
            for (words, said) in [
                (["ca", "trust-kit", "--host", "shop.test"], "ca trust-kit: needs the folder to write into\n"),
                (
                    ["ca", "trust-kit", "kit", "--listen", "127.0.0.1:0", "--host", "shop.test"],
                    "--proxy: needed, as listen leaves the port open\n"
                ),
                (["ca", "show", "kit", "--host", "shop.test"], "kit: unexpected argument; it is `ca trust-kit` that "),
            ] {
                let process = try rig.launchBinary("ca", words)
                #expect(try await process.exit() == .exited(2))
                #expect(process.errors.text.hasPrefix(said))
            }
        }
    }

    @Test("the admin listener hands out the kit's files, too, and curl trusts the proxy with them")
    func fromAdmin() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let desk = try await AdminDesk(rig, try await rig.proxy(for: emulator))
            #expect(try await desk.command(["ready", "--wait", "10"]).status == .exited(0))
            for name in ["ca.pem", "bundle.pem", "truststore.p12"] {
                let got = try await rig.run(
                    "/usr/bin/curl", ["-sSf", "-o", "\(rig.folder)/kit-\(name)", "http://\(desk.admin)/trust/\(name)"])
                #expect(got.status == .exited(0), "\(got.errors)")
            }
            for name in ["ca.pem", "bundle.pem"] {
                let through = try await rig.run(
                    "/usr/bin/curl",
                    [
                        "-sSf", "--cacert", "\(rig.folder)/kit-\(name)", "-x", "http://\(desk.proxy.address)",
                        "https://shop.test/get",
                    ])
                #expect(through.status == .exited(0), "\(name): \(through.errors)")
            }
            let stored = try await rig.run(
                "/usr/bin/openssl",
                ["pkcs12", "-in", "\(rig.folder)/kit-truststore.p12", "-passin", "pass:changeit", "-nokeys"])
            let authority = try String(contentsOfFile: "\(rig.folder)/kit-ca.pem", encoding: .utf8)
            let found = String(decoding: stored.output, as: UTF8.self)
            #expect(found.contains(authority.trimmingCharacters(in: .newlines)), "\(stored.errors)")
        }
    }
}
