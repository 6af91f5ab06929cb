import Foundation

/// A running `Tests/Support/odd_origin.py`: an origin that breaks the rules on request.
struct OddOrigin: Sendable {
    let process: LaunchedProcess
    let http: Address
    /// Collects what it is sent until the peer ends its side, then sends all of it back.
    let tcp: Address

    /// The request heads that it received, byte for byte (ISO 8859-1).
    var heads: [String] { process.output.records.compactMap { $0["head"].string } }

    func heads(_ path: String) -> [String] { heads.filter { $0.contains(" \(path) ") } }
}

extension Rig {
    func oddOrigin() async throws -> OddOrigin {
        let process = try launch("odd origin", Places.python, ["-u", Places.support("odd_origin.py")])
        return OddOrigin(
            process: process, http: try await process.address("http"), tcp: try await process.address("tcp"))
    }

    /// A port of the loopback on which nobody listens, at this moment.
    func closedPort() throws -> Address {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
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
        return address
    }
}
