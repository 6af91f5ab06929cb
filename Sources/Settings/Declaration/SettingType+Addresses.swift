extension SettingType where Value == ListenAddress {
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
