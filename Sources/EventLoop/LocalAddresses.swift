internal import CUV
internal import Glibc

/// The addresses of this machine's own network interfaces (uv_interface_addresses, getifaddrs(3)).
public enum LocalAddresses {
    /// Every address that is up now, with port 0.
    public static func all() -> [SocketAddress] {
        var list: UnsafeMutablePointer<uv_interface_address_t>?
        var count: Int32 = 0
        guard uv_interface_addresses(&list, &count) == 0, let list else { return [] }
        defer { uv_free_interface_addresses(list, count) }
        return (0..<Int(count)).compactMap { index in
            withUnsafePointer(to: list[index].address) { SocketAddress(sockaddr: UnsafeRawPointer($0)) }
        }
    }
}
