import Testing

@testable import WAFTokens

struct WAFConfigurationTests {
    private func faults(_ configure: (inout WAFConfiguration) -> Void) -> [String] {
        var configuration = WAFConfiguration(domainName: "shop.test")
        configure(&configuration)
        return configuration.faults.map(\.description)
    }

    private func rules(_ configure: (inout WAFConfiguration) -> Void) throws -> ProviderRules {
        var configuration = WAFConfiguration(domainName: "shop.test")
        configure(&configuration)
        return try configuration.rules(for: StaticTokenSource(try WAFToken("t")))
    }

    @Test("The defaults are the SDK's")
    func defaults() throws {
        let configuration = WAFConfiguration(domainName: "shop.test")
        #expect(configuration.backgroundRefreshEnabled)
        #expect(configuration.maxErrorTokenRefreshDelayMsec == 5000)
        #expect(configuration.setTokenCookie)
        #expect(configuration.tokenCookiePath == "/")
        #expect(configuration.fetchBudgetPerMinute == 60)
        #expect(configuration.retryJitter == .none)
        let rules = try rules { _ in }
        #expect(rules.refreshDelay == .seconds(88))
        #expect(rules.retry.limit == nil)
    }

    @Test("A value out of range is refused with the setting's name, the value and the range")
    func ranges() {
        #expect(
            faults { $0.tokenRefreshDelaySec = 87 } == [
                "tokenRefreshDelaySec is 87, allowed is 88 to 300 (profile sdk-current)"
            ])
        #expect(faults { $0.tokenRefreshDelaySec = 88 }.isEmpty)
        #expect(faults { $0.tokenRefreshDelaySec = 300 }.isEmpty)
        #expect(faults { $0.tokenRefreshDelaySec = 301 }.count == 1)
        #expect(faults { $0.maxRetryCount = 100 }.isEmpty)
        #expect(
            faults { $0.maxRetryCount = 101 } == ["maxRetryCount is 101, allowed is 0 to 100 (profile sdk-current)"])
        #expect(faults { $0.maxRetryCount = -1 }.count == 1)
        #expect(faults { $0.maxErrorTokenRefreshDelayMsec = 0 }.count == 1)
        #expect(faults { $0.maxErrorTokenRefreshDelayMsec = 1 }.isEmpty)
        #expect(faults { $0.maxErrorTokenRefreshDelayMsec = 30_001 }.count == 1)
        #expect(faults { $0.fetchBudgetPerMinute = -1 }.count == 1)
        #expect(faults { $0.holdMsec = -1 }.count == 1)
        #expect(faults { $0.immunityTimeSec = 0 }.count == 1)
    }

    @Test("Every fault is told, not only the first")
    func allFaults() {
        let all = faults {
            $0.tokenRefreshDelaySec = 1
            $0.maxRetryCount = 1000
            $0.tokenCookiePath = "web"
        }
        #expect(all.count == 3)
    }

    @Test("Profile sdk-2023 has its own ranges and defaults")
    func sdk2023() throws {
        #expect(
            faults {
                $0.profile = .sdk2023; $0.tokenRefreshDelaySec = 299
            }.count == 1)
        #expect(
            faults {
                $0.profile = .sdk2023; $0.tokenRefreshDelaySec = 600
            }.isEmpty)
        #expect(
            faults {
                $0.profile = .sdk2023; $0.maxRetryCount = 11
            }.count == 1)
        let background = try rules { $0.profile = .sdk2023 }
        #expect(background.refreshDelay == .seconds(300))
        #expect(background.retry.limit == 5)
        let onDemand = try rules {
            $0.profile = .sdk2023; $0.backgroundRefreshEnabled = false
        }
        #expect(onDemand.retry.limit == 3)
    }

    @Test("Profile unrestricted lifts the ranges for rigs that need second-long tokens")
    func unrestricted() throws {
        let rules = try rules {
            $0.profile = .unrestricted; $0.tokenRefreshDelaySec = 1; $0.maxRetryCount = 5000
        }
        #expect(rules.refreshDelay == .seconds(1))
        #expect(rules.retry.limit == 5000)
    }

    @Test(
        "domainName is a host name that is no public suffix",
        arguments: [
            ("shop.test", true), ("localhost", true), ("shop", true), ("127.0.0.1", true), ("::1", true),
            ("Shop.Example.COM.", true), ("", false), ("com", false), ("co.uk", false), ("gov.au", false),
            ("github.io", false), ("me.github.io", true), ("sh op.test", false), ("http://shop.test", false),
            ("*.shop.test", false), ("shop..test", false), ("127.0.0.256", false),
        ])
    func domain(name: String, isAllowed: Bool) {
        #expect(WAFConfiguration(domainName: name).faults.isEmpty == isAllowed, "\(name)")
    }

    @Test("A provider is not made from a configuration with a fault")
    func refused() throws {
        var configuration = WAFConfiguration(domainName: "shop.test")
        configuration.tokenRefreshDelaySec = 5
        let source = StaticTokenSource(try WAFToken("t"))
        #expect(throws: ConfigurationFault.self) { try WAFTokenProvider(configuration, source: source) }
    }

    @Test("static and file have no expiry unless immunityTimeSec is given")
    func staticImmunity() throws {
        #expect(try rules { _ in }.immunity == nil)
        #expect(try rules { $0.immunityTimeSec = 60 }.immunity == .seconds(60))
    }
}
