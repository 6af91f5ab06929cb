// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with. `Lifetimes` lets a function return a `Span` of what it was called on.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// - Parameter pages: files of a web page, which become part of the program (`PackageResources`).
func module(_ name: String, _ dependencies: [Target.Dependency] = [], pages: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: pages.map { .embedInCode($0) }, swiftSettings: swiftSettings)
}

func tests(of name: String, _ more: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name)] + more,
        swiftSettings: swiftSettings)
}

let package = Package(
    name: "waf-token-proxy",
    products: [
        .executable(name: "waf-token-proxy", targets: ["waf-token-proxy"]),
        .library(name: "WAFTokens", targets: ["WAFTokens"]),
        // For Benchmarks/leaves.
        .library(name: "TLS", targets: ["TLS"]),
        // With what a test suite needs besides: the settings, and an endpoint to test against.
        .library(name: "ProxyKit", targets: ["ProxyKit", "Settings", "Emulator", "Telemetry"]),
    ],
    targets: [
        .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

        module("Telemetry"),
        module("HTTP", ["Telemetry"]),
        module("EventLoop", ["CUV", "Telemetry"]),
        module("TLS", ["COpenSSL", "Telemetry"]),
        module("WAFTokens", ["Telemetry"]),
        module("Credentials", ["CCrypt", "Telemetry"]),
        module("Upstream", ["CCurl", "EventLoop", "HTTP", "TLS", "Telemetry"]),
        module(
            "Proxy", ["Credentials", "EventLoop", "HTTP", "TLS", "Upstream", "WAFTokens", "Telemetry"],
            pages: ["LocalPage/local.html", "LocalPage/local.css"]),
        module(
            "Admin", ["EventLoop", "HTTP", "Proxy", "WAFTokens", "Telemetry"],
            pages: ["Page/page.html", "Page/page.css", "Page/page.js"]),
        module("Settings", ["Credentials", "CYAML", "Telemetry"]),
        module("Emulator", ["EventLoop", "HTTP", "TLS", "Telemetry"]),
        module(
            "ProxyKit",
            ["Admin", "EventLoop", "HTTP", "Upstream", "WAFTokens", "Proxy", "Settings", "TLS", "Telemetry"]),
        .executableTarget(
            name: "waf-token-proxy",
            dependencies: ["Admin", "ProxyKit", "Settings", "Emulator", "EventLoop", "Telemetry"],
            swiftSettings: swiftSettings),

        tests(of: "Telemetry"),
        tests(of: "HTTP"),
        tests(of: "EventLoop", ["Telemetry"]),
        tests(of: "TLS"),
        tests(of: "WAFTokens", ["Telemetry"]),
        tests(of: "Credentials", ["Telemetry"]),
        tests(of: "Upstream", ["EventLoop", "HTTP", "Telemetry"]),
        tests(of: "Proxy", ["Credentials", "EventLoop", "HTTP", "TLS", "Upstream", "WAFTokens", "Telemetry"]),
        tests(of: "Admin", ["EventLoop", "HTTP", "Proxy", "Upstream", "WAFTokens", "Telemetry"]),
        tests(of: "Settings", ["Credentials", "Telemetry"]),
        tests(of: "Emulator", ["EventLoop", "HTTP", "TLS", "Telemetry"]),
        tests(of: "ProxyKit", ["EventLoop", "Settings", "Emulator", "TLS", "Telemetry", "WAFTokens"]),
        .testTarget(name: "EndToEndTests", dependencies: ["Telemetry"], swiftSettings: swiftSettings),
    ]
)
