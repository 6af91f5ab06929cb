import Foundation

/// Where things are: the checkout, the binary under test, the helpers written in Python.
enum Places {
    /// The folder that holds `Tests`.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// `WTP_BINARY`, else the binary that was built together with this test bundle.
    static let binary: String = {
        if let path = ProcessInfo.processInfo.environment["WTP_BINARY"], !path.isEmpty { return path }
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: bundle).deletingLastPathComponent().appending(path: "waf-token-proxy").path
    }()

    static let python = root + "/.venv/bin/python"

    static func support(_ script: String) -> String { "\(root)/Tests/Support/\(script)" }

    /// Sanitizer builds are several times slower.
    static let patience = ProcessInfo.processInfo.environment["WTP_SANITIZER"] == nil ? 1 : 4

    /// What processes get: nothing of this machine's proxies, certificates or preferences, but the sanitizers' options.
    static let environment: [String: String] = {
        var result = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"]
        for (key, value) in ProcessInfo.processInfo.environment where key.hasSuffix("SAN_OPTIONS") {
            result[key] = value
        }
        // The backtracer reads the memory of the process that died; sanitizers take that for a fault of its own.
        if patience > 1 { result["SWIFT_BACKTRACE"] = "enable=no" }
        result["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return result
    }()
}
