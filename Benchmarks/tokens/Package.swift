// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "token-bench",
    dependencies: [.package(name: "waf-token-proxy", path: "../..")],
    targets: [
        .executableTarget(
            name: "token-bench",
            dependencies: [.product(name: "WAFTokens", package: "waf-token-proxy")])
    ]
)
