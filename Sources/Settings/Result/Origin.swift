import Telemetry

/// Where a value comes from.
public enum Origin: Sendable, Equatable {
    /// The program's own.
    case defaultValue
    /// A line of the configuration file.
    case file(path: String, line: Int)
    /// An environment variable.
    case variable(String)
    /// A flag, with its dashes.
    case flag(String)

    /// Higher wins.
    var rank: Int {
        switch self {
        case .defaultValue: 0
        case .file: 1
        case .variable: 2
        case .flag: 3
        }
    }
}

extension Origin: CustomStringConvertible {
    /// `default`, `waf-token-proxy.yaml:12`, `WAF_TOKEN_PROXY_LISTEN`, `--listen`.
    public var description: String {
        switch self {
        case .defaultValue: "default"
        case .file(let path, let line): line > 0 ? "\(Escaper.escape(path)):\(line)" : Escaper.escape(path)
        case .variable(let name): Escaper.escape(name)
        case .flag(let name): Escaper.escape(name)
        }
    }
}
