// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "proxy-in-tests",
    dependencies: [.package(name: "waf-token-proxy", path: "../..")],
    targets: [
        .testTarget(
            name: "ShopTests",
            dependencies: [.product(name: "ProxyKit", package: "waf-token-proxy")])
    ]
)
