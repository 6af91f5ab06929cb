// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "leaf-bench",
    dependencies: [.package(name: "waf-token-proxy", path: "../..")],
    targets: [
        .executableTarget(
            name: "leaf-bench",
            dependencies: [.product(name: "TLS", package: "waf-token-proxy")])
    ]
)
