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

/// Runs a tool; what it printed on both outputs, and its status.
func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}

/// Lends a folder that is gone afterwards.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
