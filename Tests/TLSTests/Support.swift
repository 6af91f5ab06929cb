import Foundation
import Testing

@testable import TLS

/// A client and a server session that talk through memory.
struct Pair {
    let client: TLSSession
    let server: TLSSession

    static let now = Int(Date().timeIntervalSince1970)

    init(
        clientVersions: ClosedRange<TLSContext.Version> = .tls12 ... .tls13,
        serverVersions: ClosedRange<TLSContext.Version> = .tls12 ... .tls13,
        peerName: String? = "shop.test", clientProtocols: [String] = [], serverProtocols: [String] = []
    ) throws {
        let authority = try CertificateAuthority(name: "test authority", now: Self.now)
        let identity = try authority.issueLeaf(
            dnsNames: ["shop.test", "*.api.shop.test"], ipAddresses: ["127.0.0.1", "::1"], now: Self.now)
        let serverContext = try TLSContext(
            serverIdentity: identity, protocols: serverProtocols, versions: serverVersions)
        let clientContext = try TLSContext(
            trusting: [authority.certificate], protocols: clientProtocols, versions: clientVersions)
        server = try TLSSession(context: serverContext)
        client = try TLSSession(context: clientContext, peerName: peerName)
    }

    init(client: TLSSession, server: TLSSession) {
        self.client = client
        self.server = server
    }

    /// Passes ciphertext until nobody has any left, `step` bytes at a time; after each piece the receiver goes on.
    func pump(step: Int = .max) throws {
        _ = try client.handshake()
        while client.hasOutput || server.hasOutput {
            try pass(from: client, to: server, step: step)
            try pass(from: server, to: client, step: step)
        }
    }

    private func pass(from sender: TLSSession, to receiver: TLSSession, step: Int) throws {
        for piece in sender.takeOutput().pieces(of: step) {
            receiver.feed(piece.span)
            _ = try receiver.handshake()
        }
    }

    /// Moves ciphertext without letting the receiver go on.
    func carry(from sender: TLSSession, to receiver: TLSSession) {
        sender.withOutput { receiver.feed($0) }
    }
}

extension TLSSession {
    func takeOutput() -> [UInt8] {
        var bytes: [UInt8] = []
        withOutput { span in span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// Everything that can be read now, and what came after it.
    func readAll() throws -> (bytes: [UInt8], end: ReadResult) {
        var bytes: [UInt8] = []
        while true {
            let result = try read(into: &bytes)
            if case .bytes = result { continue }
            return (bytes, result)
        }
    }
}

extension [UInt8] {
    func pieces(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: Swift.min(size, Swift.max(count, 1))).map {
            Array(self[$0..<Swift.min(count, $0 + Swift.min(size, count))])
        }
    }
}

/// Runs a tool; what it printed on both outputs, and its status. By posix_spawn(3): `Process` leaks.
func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    try withFolder { folder in
        let output = folder.appending(path: "output").path
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, arguments[0], &actions, nil, &words, environ) == 0 else { throw CannotSpawn() }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return (status >> 8 & 0xff, try String(contentsOfFile: output, encoding: .utf8))
    }
}

struct CannotSpawn: Error {}

/// Lends a folder that is gone afterwards.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
