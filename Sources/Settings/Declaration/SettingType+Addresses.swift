extension SettingType where Value == ListenAddress {
    /// Where a listener for clients, or one of the emulator, listens.
    static var tcpAddress: SettingType {
        .text(
            "ADDRESS:PORT with an IP address (IPv6 in brackets) or localhost", placeholder: "ADDRESS:PORT",
            examples: ["127.0.0.1:8082", "[::1]:8083", "127.0.0.1:0"]
        ) {
            $0.description
        } read: { text in
            if case .tcp(let host, let port)? = ListenAddress(text) { .tcp(host: host, port: port) } else { nil }
        }
    }

    /// Where something listens that is to be asked: other than a listener's own address it may be a name.
    static var adminTarget: SettingType {
        .text(
            "HOST:PORT with a name or an IP address (IPv6 in brackets), or unix:/PATH", placeholder: "ADDRESS",
            examples: ["127.0.0.1:8082", "[::1]:8083", "proxy:8081", "unix:/run/wtp.sock"]
        ) {
            $0.description
        } read: { text in
            if let address = ListenAddress(text) { return address }
            return HostText.authority(text).map { .tcp(host: $0.host, port: $0.port) }
        }
    }

    /// Where the admin listener listens.
    static var adminAddress: SettingType {
        .text(
            "ADDRESS:PORT with an IP address (IPv6 in brackets) or localhost, or unix:/PATH", placeholder: "ADDRESS",
            examples: ["127.0.0.1:8082", "[::1]:8083", "unix:/run/wtp.sock"]
        ) {
            $0.description
        } read: {
            ListenAddress($0)
        }
    }
}

extension SettingType where Value == NetworkRange {
    static var network: SettingType {
        .text(
            "an IP address or a network such as 10.0.0.0/8", placeholder: "NETWORK",
            examples: ["10.0.0.0/8", "192.168.1.7", "fd00::/8"]
        ) {
            $0.description
        } read: {
            NetworkRange($0)
        }
    }
}

extension SettingType where Value == DestinationRule {
    static var destination: SettingType {
        .text(
            "a host pattern, an IP address or a network such as 10.0.0.0/8", placeholder: "DESTINATION",
            examples: ["shop.test", "10.0.0.0/8", "*.test:8443"]
        ) {
            $0.description
        } read: { text in
            NetworkRange(text).map { .network($0) } ?? HostText.pattern(text).map { .host($0) }
        }
    }
}
