/// Edits `Cookie` fields (RFC 6265 §4.2): several are joined with `; ` at the place of the first.
enum CookieHeader {
    /// Ours, `; `, then the rest byte for byte, without any other pair of that name. No field there was: ours goes last.
    static func set(_ token: Span<UInt8>, in fields: inout Fields) {
        guard let first = fields.index(of: .cookie) else {
            return fields.append("Cookie") {
                $0.append(TokenField.cookieName)
                $0.append(UInt8(ascii: "="))
                $0.append(token)
            }
        }
        var value: [UInt8] = []
        value.reserveCapacity(token.count + lengthOfAll(fields) + 16)
        value.append(TokenField.cookieName)
        value.append(UInt8(ascii: "="))
        value.append(token)
        appendRest(of: fields, to: &value)
        fields.replaceValue(at: first, with: value.span)
        removeOthers(after: first, in: &fields)
    }

    /// Removes every pair of that name; a field left empty is dropped. Without such a pair all fields stay as they are.
    static func removeToken(from fields: inout Fields) {
        guard TokenField.isPresent(in: fields, carrier: .cookie), let first = fields.index(of: .cookie) else { return }
        var value: [UInt8] = []
        value.reserveCapacity(lengthOfAll(fields))
        appendRest(of: fields, to: &value)
        removeOthers(after: first, in: &fields)
        if value.isEmpty {
            fields.remove(at: first)
        } else {
            fields.replaceValue(at: first, with: value.span)
        }
    }

    /// What is kept of all fields, `; ` before each part but the first of an empty `out`.
    private static func appendRest(of fields: borrowing Fields, to out: inout [UInt8]) {
        var next = fields.index(of: .cookie)
        while let index = next {
            let before = out.count
            if before > 0 { out.append("; ") }
            let start = out.count
            CookiePairs.append(allBut: TokenField.cookieName, of: fields.value(index), to: &out)
            if out.count == start { out.removeLast(start - before) }
            next = fields.index(of: .cookie, from: index + 1)
        }
    }

    private static func lengthOfAll(_ fields: borrowing Fields) -> Int {
        var length = 0
        var next = fields.index(of: .cookie)
        while let index = next {
            length += fields.value(index).count + 2
            next = fields.index(of: .cookie, from: index + 1)
        }
        return length
    }

    private static func removeOthers(after first: Int, in fields: inout Fields) {
        while let another = fields.index(of: .cookie, from: first + 1) { fields.remove(at: another) }
    }
}
