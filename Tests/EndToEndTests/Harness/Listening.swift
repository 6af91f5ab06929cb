import Foundation

/// Where a process listens: an IP address and a port, as it printed them.
struct Address: Sendable, CustomStringConvertible {
    let host: String
    let port: UInt16

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        host = text[..<colon].trimmingCharacters(in: ["[", "]"])
        self.port = port
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension LaunchedProcess {
    /// Waits for a line `{"msg":"listening","kind":KIND,"address":"IP:PORT", …}` for each kind; all lines by kind.
    func listening(_ kinds: [String], within limit: Duration = .seconds(60)) async throws -> [String: JSON] {
        try await eventually("\(name) did not print its listeners \(kinds)", within: limit * Places.patience) {
            var found: [String: JSON] = [:]
            for record in output.records where record["msg"].string == "listening" {
                if let kind = record["kind"].string { found[kind] = found[kind] ?? record }
            }
            if kinds.allSatisfy({ found[$0] != nil }) { return found }
            if let exitStatus { throw LaunchFailed(description: "\(name) ended with \(exitStatus) before it listened") }
            return nil
        }
    }

    func address(_ kind: String) async throws -> Address {
        let text = try await listening([kind])[kind]?["address"].string ?? ""
        guard let address = Address(text) else { throw LaunchFailed(description: "\(name): no address in \(text)") }
        return address
    }
}
