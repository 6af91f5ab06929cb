import Foundation
import Testing

/// A proxy with its admin listener, and commands that run in the same environment.
struct AdminDesk {
    let rig: Rig
    let proxy: RunningProxy
    let admin: Address

    init(_ rig: Rig, _ proxy: RunningProxy) async throws {
        self.rig = rig
        self.proxy = proxy
        admin = try await proxy.process.address("admin")
    }

    func command(_ arguments: [String]) async throws -> (status: ExitStatus, output: String, errors: String) {
        try await rig.command(arguments + ["--admin", "\(admin)"])
    }

    /// What the listener answers to `text`, in which HOST stands for its address.
    func send(_ text: String) async throws -> RawResponse {
        let text = text.replacingOccurrences(of: "HOST", with: "\(admin)")
        let admin = admin
        return try await onThread {
            let connection = try RawConnection(to: admin)
            try connection.send(text)
            return try connection.receiveResponse()
        }
    }

    func get(_ path: String, _ fields: String = "") async throws -> (status: Int, body: JSON) {
        let answer = try await read(path, fields)
        return (answer.status, JSON(parsing: answer.text) ?? .null)
    }

    func read(_ path: String, _ fields: String = "") async throws -> RawResponse {
        try await send("GET \(path) HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\(fields)\r\n")
    }

    /// A call that changes something, with the proxy's own token.
    func post(_ path: String, _ body: String = "{}") async throws -> (status: Int, body: JSON) {
        let answer = try await send(
            "POST \(path) HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\(try authorization())"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return (answer.status, JSON(parsing: answer.text) ?? .null)
    }

    /// The field with the token that the proxy left in its file.
    func authorization() throws -> String {
        let written = try String(contentsOfFile: tokenFile, encoding: .utf8)
        return "Authorization: Bearer \(written.trimmingCharacters(in: .newlines))\r\n"
    }

    /// The file in which the proxy left its token.
    var tokenFile: String { "\(rig.folder)/waf-token-proxy/admin-\(admin).token" }
}
