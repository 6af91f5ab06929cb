import Telemetry

extension SettingType where Value == Int {
    static func integer(_ range: ClosedRange<Int>, unit: String? = nil) -> SettingType {
        let allowed = "an integer from \(range.lowerBound) to \(range.upperBound)" + (unit.map { " (\($0))" } ?? "")
        let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
        var examples = [range.upperBound, range.lowerBound]
        if !examples.contains(middle) { examples.insert(middle, at: 0) }
        return .text(allowed, placeholder: "N", examples: examples.map(String.init)) {
            String($0)
        } read: { text in
            Int(decimal: text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension SettingType where Value == Bool {
    static var bool: SettingType {
        var type = text("true or false", placeholder: "true|false", examples: ["true", "false"]) {
            $0 ? "true" : "false"
        } read: { text in
            switch text {
            case "true": true
            case "false": false
            default: nil
            }
        }
        type.shape = .switch
        return type
    }
}

extension SettingType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of an enumeration.
    static var choice: SettingType {
        let words = Value.allCases.map(\.rawValue)
        return .text(
            "one of " + words.joined(separator: ", "), placeholder: words.joined(separator: "|"), examples: words
        ) {
            $0.rawValue
        } read: {
            Value(rawValue: $0)
        }
    }
}

extension SettingType where Value == LogLevel {
    static var logLevel: SettingType {
        let words = LogLevel.allCases.map { "\($0.name)" }
        return .text(
            "one of " + words.joined(separator: ", "), placeholder: words.joined(separator: "|"), examples: words
        ) {
            "\($0.name)"
        } read: { text in
            LogLevel.allCases.first { "\($0.name)" == text }
        }
    }
}
