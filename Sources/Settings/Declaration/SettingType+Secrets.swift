import Telemetry

extension SettingType where Value == Redacted<String>? {
    /// A secret text of at most `limit` bytes that `accepts` takes.
    static func secret(
        _ allowed: String, limit: Int, examples: [String], accepts: @escaping @Sendable (UInt8) -> Bool
    ) -> SettingType {
        SettingType(allowed: allowed, placeholder: "SECRET", examples: examples) { node, problems in
            switch node.content {
            case .null:
                return .some(nil)
            case .scalar(let text) where (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy(accepts):
                return Redacted(text)
            default:
                problems.append(ValueProblem(value: "", line: node.line))
                return nil
            }
        } show: { value in
            value.map { "\($0)" } ?? "null"
        }
    }

    /// A token: cookie octets (RFC 6265 §4.1.1).
    static var cookieOctets: SettingType {
        secret("1 to 8192 cookie octets (RFC 6265)", limit: 8192, examples: ["tok:1=", "tok-2", "tok/3"]) { byte in
            byte > 0x20 && byte < 0x7f && !#"",;\"#.utf8.contains(byte)
        }
    }

    static var body: SettingType {
        secret("a text of at most 65536 bytes", limit: 65_536, examples: ["{}", "a=b", "{\"c\":\"d\"}"]) { _ in true }
    }
}

extension SettingType where Value == [HeaderSetting] {
    /// Fields; a value may be given as `{file: PATH}` or `{variable: NAME}` in the file, which the loader resolves.
    static var headers: SettingType {
        SettingType(
            allowed: "field names with values (a text, {file: PATH} or {variable: NAME}), none of them about framing",
            placeholder: "NAME: VALUE", shape: .fieldLines, examples: ["X-One: 1", "X-Two: 2\nX-Three: 3", "X-Four: "]
        ) { node, problems in
            guard case .mapping(let entries) = node.content else {
                problems.append(ValueProblem(value: "", line: node.line))
                return nil
            }
            let found = problems.count
            var names: Set<String> = []
            let fields: [HeaderSetting] = entries.compactMap { entry in
                guard case .scalar(let text) = entry.value.content, FieldText.isValue(text),
                    FieldText.isToken(entry.key), !FieldText.isReserved(entry.key),
                    names.insert(HostText.lowercased(entry.key)).inserted
                else {
                    problems.append(ValueProblem(value: "", line: entry.keyLine))
                    return nil
                }
                return HeaderSetting(name: entry.key, value: Redacted(text))
            }
            return problems.count == found ? fields : nil
        } show: { fields in
            fields.isEmpty ? "none" : fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        }
    }
}
