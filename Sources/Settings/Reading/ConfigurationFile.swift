import Telemetry

/// Finds and reads the configuration file.
struct ConfigurationFile {
    /// Where it is looked for, in this order, if it is not named.
    static let searched = [
        "./waf-token-proxy.yaml", "$XDG_CONFIG_HOME/waf-token-proxy/config.yaml", "/etc/waf-token-proxy.yaml",
    ]
    static let maximumBytes = 1_048_576

    /// As it is shown.
    let path: String
    let root: Node

    /// The first of the usual places that exists.
    static func find(environment: [String: String], files: FileAccess) -> String? {
        var home = environment["XDG_CONFIG_HOME"] ?? ""
        if !home.hasPrefix("/") { home = (environment["HOME"] ?? "") + "/.config" }  // XDG Base Directory Specification
        let places = ["waf-token-proxy.yaml", home + "/waf-token-proxy/config.yaml", "/etc/waf-token-proxy.yaml"]
        return places.first { files.exists($0) }
    }

    /// Reads the file at `path`; the root is a mapping.
    static func read(path: String, origin: Origin?, files: FileAccess) throws(Fault) -> ConfigurationFile {
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try files.read(path, maximumBytes)
        } catch {
            throw Fault("config", origin, "\"\(Escaper.escape(path))\" cannot be read: \(error.reason)")
        }
        do throws(YAMLReader.Problem) {
            let root = try YAMLReader.read(bytes)
            switch root.content {
            case .mapping: return ConfigurationFile(path: path, root: root)
            case .null: return ConfigurationFile(path: path, root: Node(.mapping([]), line: 1))
            case .scalar, .list:
                throw YAMLReader.Problem(line: root.line, text: "keys with values were expected, not \(root.kindName)")
            }
        } catch {
            throw Fault("config", .file(path: path, line: error.line), error.text)
        }
    }
}

extension Node {
    var kindName: String {
        if case .scalar = content { "a text" } else { shown }
    }
}
