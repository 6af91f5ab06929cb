// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "token-provider",
    dependencies: [.package(name: "waf-token-proxy", path: "../..")],
    targets: [
        .executableTarget(
            name: "token-provider",
            dependencies: [.product(name: "WAFTokens", package: "waf-token-proxy")])
    ]
)
