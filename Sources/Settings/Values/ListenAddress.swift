/// Where something listens.
public enum ListenAddress: Sendable, Hashable {
    /// An IP address (IPv6 without brackets) and a port; port 0 picks a free one.
    case tcp(host: String, port: UInt16)
    /// A unix socket at a path.
    case unix(path: String)

    /// Whether only this machine can reach it.
    public var isLoopback: Bool {
        switch self {
        case .tcp(let host, _): host == "::1" || host.utf8.starts(with: "127.".utf8)
        case .unix: true
        }
    }

    /// Whether it says where to connect to: port 0 says nothing.
    var isReachable: Bool {
        if case .tcp(_, 0) = self { false } else { true }
    }

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`, `unix:/run/proxy.sock`; nil for anything else.
    public init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/"), path.utf8.count < 108 else { return nil }  // sun_path of unix(7)
            self = .unix(path: path)
            return
        }
        guard let (host, port) = HostText.split(text), let port, let number = UInt16(decimal: port) else { return nil }
        if host == "localhost" {
            self = .tcp(host: "127.0.0.1", port: number)
            return
        }
        guard let address = IPAddress(host) else { return nil }
        self = .tcp(host: address.description, port: number)
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The spelling that is read, too.
    public var description: String {
        switch self {
        case .tcp(let host, let port): HostText.joined(host, port)
        case .unix(let path): "unix:\(path)"
        }
    }
}

extension FixedWidthInteger {
    /// Only digits, as they are written in configurations: no sign, no leading zero, no separators.
    init?(decimal text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            text == "0" || !text.hasPrefix("0")
        else { return nil }
        self.init(text, radix: 10)
    }
}
