import Testing

@testable import Settings

@Suite struct SettingTypeAddressesTests {
    /// What a text comes to as it is shown, or nil if the type refuses it, with one problem that names it.
    private func shown<Value>(_ text: String, _ type: SettingType<Value>) -> String? {
        var problems: [ValueProblem] = []
        let value = type.parse(Node(.scalar(text), line: 3), &problems)
        #expect(problems == (value == nil ? [ValueProblem(value: text, line: 3)] : []))
        return value.map(type.show)
    }

    static let texts = [
        "127.0.0.1:0", "[0::1]:8082", "localhost:80", "proxy:8081", "Proxy.test.:8081", "proxy:0", "proxy",
        "unix:/run/a.sock", "unix:a.sock", "10.0.0.0/8", "10.0.0.1/8", "192.168.1.7", "[::1]", "shop.test",
        "*.Shop.test:8443", "shop.test:*", "",
    ]

    @Test(
        arguments: zip(
            texts,
            [
                "127.0.0.1:0", "[::1]:8082", "127.0.0.1:80", nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil,
                nil, nil,
            ]))
    func `a client listener takes addresses with a port alone`(text: String, result: String?) {
        #expect(shown(text, .tcpAddress) == result)
    }

    @Test(
        arguments: zip(
            texts,
            [
                "127.0.0.1:0", "[::1]:8082", "127.0.0.1:80", nil, nil, nil, nil, "unix:/run/a.sock", nil, nil, nil, nil,
                nil, nil,
                nil, nil, nil,
            ]))
    func `the admin listener takes a unix socket as well`(text: String, result: String?) {
        #expect(shown(text, .adminAddress) == result)
    }

    @Test(
        arguments: zip(
            texts,
            [
                "127.0.0.1:0", "[::1]:8082", "127.0.0.1:80", "proxy:8081", "proxy.test:8081", nil, nil,
                "unix:/run/a.sock", nil,
                nil, nil, nil, nil, nil, nil, nil, nil,
            ]))
    func `who asks the admin listener may name it`(text: String, result: String?) {
        #expect(shown(text, .adminTarget) == result)
    }

    @Test(
        arguments: zip(
            texts,
            [
                nil, nil, nil, nil, nil, nil, nil, nil, nil, "10.0.0.0/8", nil, "192.168.1.7", "::1", nil, nil, nil,
                nil,
            ]))
    func `a network is an address or a block`(text: String, result: String?) {
        #expect(shown(text, .network) == result)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.0.0.0/8"), ("192.168.1.7", "192.168.1.7"), ("[::1]", "::1"), ("[::1]:443", "[::1]:443"),
        ("*.Shop.test:8443", "*.shop.test:8443"), ("shop.test:*", "shop.test:*"), ("10.0.0.1/8", nil), ("a b", nil),
        ("", nil),
    ])
    func `a destination is a network where it can be one, else a host pattern`(text: String, result: String?) {
        #expect(shown(text, .destination) == result)
    }
}
