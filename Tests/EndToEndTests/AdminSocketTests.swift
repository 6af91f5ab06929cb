import Foundation
import Testing

/// The admin listener on a unix socket.
@Suite(.timeLimit(.minutes(10)))
struct AdminSocketTests {
    private func proxy(_ rig: Rig, _ socket: String) async throws -> (emulator: Emulator, proxy: RunningProxy) {
        let emulator = try await rig.emulator()
        let proxy = try await rig.proxy(for: emulator, more: ["admin": ["listen": .string("unix:\(socket)")]])
        _ = try await proxy.process.listening(["admin"])
        return (emulator, proxy)
    }

    /// What curl gets from the socket.
    private func curl(_ rig: Rig, _ socket: String, _ path: String, _ more: [String] = []) async throws -> String {
        let result = try await rig.run(
            "/usr/bin/curl",
            ["-sS", "--max-time", "10", "--unix-socket", socket, "-w", " %{http_code}", "http://localhost\(path)"]
                + more)
        #expect(result.status == .exited(0), "\(result.errors)")
        return String(decoding: result.output, as: UTF8.self)
    }

    @Test("curl and the commands ask over the socket, which is this user's alone and goes with the proxy")
    func commands() async throws {
        try await Rig.with { rig in
            let socket = "\(rig.folder)/admin.sock"
            let (emulator, proxy) = try await proxy(rig, socket)
            let target = ["--admin", "unix:\(socket)"]
            let attributes = try FileManager.default.attributesOfItem(atPath: socket)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let ready = try await rig.command(["ready", "--wait", "10"] + target)
            #expect(ready.status == .exited(0), "\(ready)")
            #expect(try await curl(rig, socket, "/livez") == "{\"live\":true}\n 200")
            let calls = try await emulator.issuerCalls()
            #expect(try await rig.command(["token", "refresh"] + target).status == .exited(0))
            #expect(try await emulator.issuerCalls() == calls + 1)
            #expect(try await curl(rig, socket, "/v1/providers/shop/refresh", ["-X", "POST"]).hasSuffix(" 401"))
            #expect(try await curl(rig, socket, "/v1/status", ["-H", "Host: rebound.test"]).hasSuffix(" 421"))
            await proxy.process.stop()
            #expect(proxy.process.exitStatus == .exited(0))
            #expect(!FileManager.default.fileExists(atPath: socket))
            let nobody = try await rig.command(["ready"] + target)
            #expect(nobody.status == .exited(69))
            #expect(nobody.errors.split(separator: "\n").count == 1 && nobody.errors.contains(socket), "\(nobody)")
        }
    }

    @Test("what a killed proxy left is replaced; a socket in use and another file are said in one line, status 69")
    func taken() async throws {
        try await Rig.with { rig in
            let socket = "\(rig.folder)/admin.sock"
            let address = sockaddr_un(path: socket)
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            #expect(address.bind(descriptor) == 0)
            close(descriptor)  // The file stays, as after SIGKILL.
            let (_, proxy) = try await proxy(rig, socket)
            #expect(try await curl(rig, socket, "/livez").hasSuffix(" 200"))
            let file = try rig.write("mine", to: "file")
            for path in [socket, file] {
                let second = try await rig.command(
                    ["run", "--listen", "127.0.0.1:0", "--host", "shop.test", "--admin-listen", "unix:\(path)"],
                    environment: ["WAF_TOKEN": "static-token-3"])
                #expect(second.status == .exited(69))
                let said = (second.output + second.errors).split(separator: "\n")
                #expect(said.count == 1 && said[0].contains("unix:\(path)"), "\(said)")
            }
            #expect(try await curl(rig, socket, "/livez").hasSuffix(" 200"))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
            await proxy.process.stop()
        }
    }

    @Test("POST /v1/drain ends the proxy as SIGTERM does, with status 0")
    func drain() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let desk = try await AdminDesk(rig, try await rig.proxy(for: odd))
            let refused = try await desk.send("POST /v1/drain HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n")
            #expect(refused.status == 401)
            async let slow = desk.proxy.get("http://open.test/slow/500")
            _ = try await eventually("no connection was counted") {
                try await desk.get("/v1/status").body["counters"]["connections"].integer == 1 ? true : nil
            }
            let answer = try await desk.post("/v1/drain")
            #expect(answer.status == 202 && answer.body["draining"] == true)
            #expect(try await slow.status == 200)
            #expect(try await desk.proxy.process.exit() == .exited(0))
        }
    }
}

extension sockaddr_un {
    fileprivate init(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    }

    fileprivate func bind(_ descriptor: Int32) -> Int32 {
        withUnsafePointer(to: self) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
