import Foundation

/// A running `waf-token-proxy run`.
struct RunningProxy: Sendable {
    let process: LaunchedProcess
    let address: Address

    /// What a user sets, and nothing else.
    var environment: [String: String] { ["http_proxy": "http://\(address)", "https_proxy": "http://\(address)"] }

    /// The access-log lines so far.
    var accessLog: [JSON] { process.output.records.filter { $0["msg"].string == "request" } }

    /// Sends `request` on a connection of its own; what came back until the answer was complete or the connection over.
    func exchange(_ request: String, bodyless: Bool = false) async throws -> RawResponse {
        try await onThread {
            let connection = try RawConnection(to: address, timeoutSec: 15)
            try connection.send(request)
            return try connection.receiveResponse(bodyless: bodyless)
        }
    }

    /// A GET in absolute form.
    func get(_ url: String, fields: String = "") async throws -> RawResponse {
        let host = url.split(separator: "/", maxSplits: 2)[1].split(separator: "/")[0]
        return try await exchange("GET \(url) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n")
    }
}

extension Rig {
    /// The authority that clients of `proxy(…)` have to trust, in a file.
    func trustedFile() async throws -> String {
        let path = folder + "/proxy-ca.pem"
        let result = try await run(
            Places.binary, ["ca", "export", "--host", "shop.test:*", "--out", path], environment: ["HOME": folder])
        guard result.status == .exited(0) else { throw LaunchFailed(description: "ca export: \(result.errors)") }
        return path
    }

    /// A source with one token that never changes.
    func staticSource(_ token: String) throws -> JSON {
        keepSecret(token)
        return ["type": "static", "valueFile": .string(try write(token, to: "token"))]
    }

    /// Starts the proxy with one provider for `shop.test` on any port. `resolve` says where the names lead.
    func proxy(
        source: JSON, resolve: [String: Address] = [:], provider: JSON = [:], more: JSON = [:]
    ) async throws -> RunningProxy {
        let shop: JSON = [
            "name": "shop", "domainName": "shop.test", "hosts": ["shop.test:*"], "profile": "unrestricted",
            "source": source,
        ]
        let configuration: JSON = [
            "listen": ["127.0.0.1:0"],
            "threads": 2,
            "admin": ["listen": "127.0.0.1:0"],
            "providers": [shop.merging(provider)],
            "upstream": ["resolve": .object(resolve.mapValues { .string($0.description) })],
            "log": ["format": "json", "level": "debug"],
        ]
        let number = processes.count
        let file = try write(configuration.merging(more).text, to: "proxy-\(number).yaml")
        let process = try launchBinary("proxy", ["run", "--config", file])
        return RunningProxy(process: process, address: try await process.address("proxy"))
    }

    /// The proxy in front of the emulator: `shop.test` on ports 80 and 443, tokens from its issuer. With `odd`, port 81
    /// of the same protected name leads to the odd origin, and `open.test` (not listed) as well.
    func proxy(
        for emulator: Emulator, odd: OddOrigin? = nil, provider: JSON = [:], more: JSON = [:]
    ) async throws -> RunningProxy {
        var resolve = ["shop.test:80": emulator.http, "shop.test:443": emulator.https]
        resolve["shop.test:81"] = odd?.http
        resolve["open.test:80"] = odd?.http
        let source: JSON = [
            "type": "http", "url": .string(emulator.tokenURL), "method": "POST", "tokenPointer": "/token",
            "expiresInPointer": "/expiresIn",
        ]
        return try await proxy(
            source: source, resolve: resolve, provider: provider,
            more: JSON.object(["upstream": ["caFile": .string(emulator.caFile)]]).merging(more))
    }

    /// The proxy in front of the odd origin alone, with a static token: `shop.test` gets it, `open.test` does not.
    func proxy(for odd: OddOrigin, token: String = "static-token-9f2c", more: JSON = [:]) async throws -> RunningProxy {
        try await proxy(
            source: try staticSource(token), resolve: ["shop.test:80": odd.http, "open.test:80": odd.http], more: more)
    }
}
