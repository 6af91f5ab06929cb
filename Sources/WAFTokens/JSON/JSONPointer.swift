/// Names a place in a JSON document (RFC 6901): `""` the whole, `/token`, `/data/0/a~1b`.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The text it was made from.
    public let description: String
    private let steps: [[UInt8]]

    /// Nil where the text is neither empty nor begins with `/`, or has a `~` that is not followed by 0 or 1.
    public init?(_ text: String) {
        description = text
        var steps: [[UInt8]] = []
        var rest = text.utf8[...]
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "/"): steps.append([])
            case UInt8(ascii: "~"):
                switch rest.popFirst() {
                case UInt8(ascii: "0"): steps[steps.count - 1].append(UInt8(ascii: "~"))
                case UInt8(ascii: "1"): steps[steps.count - 1].append(UInt8(ascii: "/"))
                default: return nil
                }
            default: steps[steps.count - 1].append(byte)
            }
        }
        self.steps = steps
    }

    /// The value at that place; nil where there is none.
    func find(in document: JSONValue) -> JSONValue? {
        var value = document
        for step in steps {
            switch value {
            case .object(let members):
                guard let member = members.first(where: { $0.name == step }) else { return nil }
                value = member.value
            case .array(let values):
                guard let index = Self.index(step), index < values.count else { return nil }
                value = values[index]
            case .null, .bool, .number, .string: return nil
            }
        }
        return value
    }

    /// Digits without a leading zero (§4).
    private static func index(_ step: [UInt8]) -> Int? {
        guard step.first != UInt8(ascii: "0") || step.count == 1, step.first != UInt8(ascii: "+") else { return nil }
        return Int(String(decoding: step, as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
    }
}
