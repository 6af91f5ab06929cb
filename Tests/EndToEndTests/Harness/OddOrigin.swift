import Foundation
import Telemetry

/// A running `Tests/Support/odd_origin.py`: an origin that breaks the rules on request.
struct OddOrigin: Sendable {
    let process: LaunchedProcess
    let http: Address
    /// Collects what it is sent until the peer ends its side, then sends all of it back.
    let tcp: Address
    /// The same as `http` over TLS, with a certificate for `shop.test`, and that certificate's file.
    let https: (address: Address, caFile: String)

    /// The request heads that it received so far, byte for byte (ISO 8859-1).
    var headsSoFar: [String] { process.output.records.compactMap { $0["head"].string } }

    /// All request heads that it received up to now, of one path or of all: what it prints is read by another thread, so
    /// a request of our own comes last and is waited for.
    func heads(_ path: String? = nil) async throws -> [String] {
        let marker = "/marker-\(UInt32.random(in: 0...UInt32.max))"
        let response = try await onThread {
            let connection = try RawConnection(to: http)
            try connection.send("GET \(marker) HTTP/1.1\r\nHost: odd\r\n\r\n")
            return try connection.receiveResponse()
        }
        guard response.status == 200 else { throw LaunchFailed(description: "marker: \(response.statusLine)") }
        let all = try await eventually("the odd origin's output stopped") {
            let heads = headsSoFar
            return heads.contains { $0.contains(" \(marker) ") } ? heads : nil
        }
        return all.filter { head in
            !head.contains(" /marker-") && (path.map { head.contains(" \($0) ") } ?? true)
        }
    }
}

extension Rig {
    func oddOrigin() async throws -> OddOrigin {
        let (key, certificate) = (folder + "/odd.key", folder + "/odd.pem")
        let made = try await run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=shop.test", "-addext", "subjectAltName=DNS:shop.test", "-keyout", key, "-out", certificate,
            ])
        guard made.status == .exited(0) else { throw LaunchFailed(description: "openssl: \(made.errors)") }
        let both = try [key, certificate].map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        let process = try launch(
            "odd origin", Places.python, ["-u", Places.support("odd_origin.py"), try write(both, to: "odd-both.pem")])
        return OddOrigin(
            process: process, http: try await process.address("http"), tcp: try await process.address("tcp"),
            https: (try await process.address("https"), certificate))
    }

    /// A port of the loopback on which nobody listens until somebody asks for it by number: it lies below those that
    /// the kernel gives to who asks for any (`ip_local_port_range`, ip(7)), and this process gives it once.
    func closedPort() throws -> Address {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 20_000..<32_768)
            guard givenPorts.withLock({ $0.insert(port).inserted }) else { continue }
            guard let (descriptor, address) = try? boundSocket(port) else { continue }
            close(descriptor)
            return address
        }
        throw LaunchFailed(description: "no free port between 20000 and 32768")
    }

    /// A port of the loopback whose connections the kernel accepts and nobody reads from; it stays so.
    func silentPort() throws -> Address {
        let (descriptor, address) = try boundSocket()
        guard listen(descriptor, 16) == 0 else { throw LaunchFailed(description: "listen: errno \(errno)") }
        return address
    }

    /// - Parameter number: 0: any.
    private func boundSocket(_ number: UInt16 = 0) throws -> (descriptor: Int32, address: Address) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: UInt16? = withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.bindMemory(to: sockaddr.self).baseAddress!
            guard bind(descriptor, pointer, length) == 0, getsockname(descriptor, pointer, &length) == 0 else {
                return nil
            }
            return UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
        guard let port, let address = Address("127.0.0.1:\(port)") else {
            throw LaunchFailed(description: "no free port: errno \(errno)")
        }
        return (descriptor, address)
    }
}

private let givenPorts = Lock<Set<UInt16>>([])
