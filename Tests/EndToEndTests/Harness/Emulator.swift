import Foundation

/// A running `waf-token-proxy emulator`: the protected origin, its issuer and its control port.
struct Emulator: Sendable {
    let process: LaunchedProcess
    let http: Address
    let https: Address
    let issuer: Address
    let control: Address
    let caFile: String

    var tokenURL: String { "http://\(issuer)/token" }

    /// One control call; throws unless the answer is 2xx.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let text = body?.text ?? ""
        let kind = body == nil ? "" : "Content-Type: application/json\r\n"
        let head = "\(method) \(path) HTTP/1.1\r\nHost: \(control)\r\nConnection: close\r\n\(kind)"
        let response = try await onThread {
            let connection = try RawConnection(to: control)
            try connection.send(head + "Content-Length: \(text.utf8.count)\r\n\r\n" + text)
            return try connection.receiveResponse()
        }
        let answer = String(decoding: response.content ?? Data(), as: UTF8.self)
        guard (200..<300).contains(response.status) else {
            throw LaunchFailed(description: "\(method) \(path) \(text): \(response.statusLine): \(answer)")
        }
        return JSON(parsing: answer) ?? .null
    }

    /// What the origin saw so far.
    func requests() async throws -> [JSON] { try await call("GET", "/v1/requests")["requests"].elements }

    func requests(verdict: String) async throws -> [JSON] {
        try await requests().filter { $0["verdict"].string == verdict }
    }

    func issuerCalls() async throws -> Int { try await call("GET", "/v1/issuer/calls")["calls"].elements.count }

    /// Moves the origin's clock: beyond 300 s every token handed out before is expired for the origin, and for it alone.
    func advanceClock(_ seconds: Int) async throws {
        try await call("PUT", "/v1/clock", ["offsetSec": .number(Double(seconds))])
    }

    /// `mode`: ok, delay, hang, reset, status, noToken, corrupt.
    func setIssuer(_ mode: String, _ more: JSON = [:]) async throws {
        try await call("PUT", "/v1/issuer", JSON.object(["mode": .string(mode)]).merging(more))
    }

    /// Actions by path prefix: challenge, captcha, block, count, allow.
    func setRules(_ actions: [(prefix: String, action: String)]) async throws {
        let rules = actions.map { JSON.object(["prefix": .string($0.prefix), "action": .string($0.action)]) }
        try await call("PUT", "/v1/rules", ["rules": .array(rules)])
    }
}

extension Rig {
    /// Every path is protected by `challenge` until a test says otherwise.
    func emulator() async throws -> Emulator {
        let caFile = folder + "/ca.pem"
        let arguments = [
            "emulator", "--listen", "127.0.0.1:0", "--listen-https", "127.0.0.1:0", "--issuer", "127.0.0.1:0",
            "--control", "127.0.0.1:0", "--domain", "shop.test", "--ca-file", caFile,
        ]
        let process = try launchBinary("emulator", arguments)
        let emulator = Emulator(
            process: process, http: try await process.address("http"), https: try await process.address("https"),
            issuer: try await process.address("issuer"), control: try await process.address("control"),
            caFile: caFile)
        try await emulator.setRules([("/", "challenge")])
        return emulator
    }
}
