/// What values a setting takes: how they are read and shown, and what is said when one is refused.
struct SettingType<Value: Sendable>: Sendable {
    /// Completes "must be …".
    var allowed: String
    /// Stands for the value in `--help`.
    var placeholder: String
    /// How it is written in flags and variables.
    var shape = ValueShape.single
    /// Valid texts that mean different values, as a flag takes them: for the reference and the tests.
    var examples: [String]
    /// Reads a value, or says what is wrong with it. Several problems may be found at once.
    var parse: @Sendable (Node, inout [ValueProblem]) -> Value?
    /// The value as one line, in the spelling that is read.
    var show: @Sendable (Value) -> String
    /// A refused text as it may be shown in a fault.
    var mask: @Sendable (String) -> String = { $0 }
}

/// A value, or a part of one, that a type refuses.
struct ValueProblem: Error, Sendable, Equatable {
    /// The refused text.
    let value: String
    /// Completes "must be …"; nil for what the type allows in general.
    var allowed: String?
    /// Line of the file, 0 for the setting's own.
    var line = 0
}

extension SettingType {
    /// A type of one text, that `read` takes or refuses.
    static func text(
        _ allowed: String, placeholder: String, examples: [String],
        show: @escaping @Sendable (Value) -> String, read: @escaping @Sendable (String) throws(ValueProblem) -> Value?
    ) -> SettingType {
        SettingType(allowed: allowed, placeholder: placeholder, examples: examples) { node, problems in
            var problem = ValueProblem(value: node.shown, line: node.line)
            if case .scalar(let text) = node.content {
                do throws(ValueProblem) {
                    if let value = try read(text) { return value }
                } catch {
                    problem.allowed = error.allowed
                }
            }
            problems.append(problem)
            return nil
        } show: {
            show($0)
        }
    }

    /// The same type, where `null`, or the word that is shown for it, means that there is no value.
    func optional(shownAs absent: String = "null") -> SettingType<Value?> {
        SettingType<Value?>(
            allowed: allowed + ", or \(absent)", placeholder: placeholder, shape: shape, examples: examples
        ) { node, problems in
            switch node.content {
            case .null: .some(nil)
            case .scalar("null") where node.line == 0: .some(nil)
            case .scalar(absent) where absent != "null": .some(nil)
            default: parse(node, &problems)
            }
        } show: {
            $0.map(show) ?? absent
        }
        .masking(mask)
    }

    func masking(_ mask: @escaping @Sendable (String) -> String) -> SettingType {
        var type = self
        type.mask = mask
        return type
    }

    /// The same type with other words for what it allows.
    func saying(_ allowed: String) -> SettingType {
        var type = self
        type.allowed = allowed
        return type
    }
}
