/// What happens where a client brings a token of its own.
public enum ClientTokenPolicy: Sendable, Hashable {
    /// Ours takes its place, in either carrier.
    case replace
    /// It stays where ours would go; ours is added only where that carrier has none.
    case keep
    /// Ours is added only where neither carrier has one.
    case fill
}

/// How a token travels.
public enum TokenCarrier: Sendable, Hashable {
    /// `Cookie: aws-waf-token=…`
    case cookie
    /// `x-aws-waf-token: …`
    case header
}

/// Puts a token on a request and takes another one off, leaving every other byte as it is.
public enum TokenField {
    /// The cookie's name; it is compared byte for byte.
    public static let cookieName: StaticString = "aws-waf-token"

    /// Whether the request carries a token already, in this carrier.
    public static func isPresent(in fields: borrowing Fields, carrier: TokenCarrier) -> Bool {
        switch carrier {
        case .header: return fields.index(of: .xAwsWafToken) != nil
        case .cookie:
            var next = fields.index(of: .cookie)
            while let index = next {
                if CookiePairs.contains(cookieName, in: fields.value(index)) { return true }
                next = fields.index(of: .cookie, from: index + 1)
            }
            return false
        }
    }

    /// Attaches `token` as the policy says. False: the client's own stays and nothing was changed.
    @discardableResult
    public static func attach(
        _ token: Span<UInt8>, carrier: TokenCarrier, policy: ClientTokenPolicy, to fields: inout Fields
    ) -> Bool {
        switch policy {
        case .keep:
            if isPresent(in: fields, carrier: carrier) { return false }
        case .fill:
            if isPresent(in: fields, carrier: .cookie) || isPresent(in: fields, carrier: .header) {
                return false
            }
        case .replace:
            break
        }
        switch carrier {
        case .cookie:
            if policy == .replace { fields.removeAll(.xAwsWafToken) }
            CookieHeader.set(token, in: &fields)
        case .header:
            if policy == .replace { CookieHeader.removeToken(from: &fields) }
            setHeader(token, in: &fields)
        }
        return true
    }

    private static func setHeader(_ token: Span<UInt8>, in fields: inout Fields) {
        guard let first = fields.index(of: .xAwsWafToken) else {
            return fields.append(name: headerName.span, value: token)
        }
        fields.replaceValue(at: first, with: token)
        while let another = fields.index(of: .xAwsWafToken, from: first + 1) {
            fields.remove(at: another)
        }
    }

    private static let headerName = Array("x-aws-waf-token".utf8)
}

/// Edits `Cookie` fields (RFC 6265 §4.2): several are joined with `; ` at the place of the first.
enum CookieHeader {
    private static let fieldName = Array("Cookie".utf8)

    /// Ours, `; `, then the rest byte for byte, without any other pair of that name. No field there was: ours goes last.
    static func set(_ token: Span<UInt8>, in fields: inout Fields) {
        var value: [UInt8] = []
        value.reserveCapacity(token.count + 64)
        value.append(TokenField.cookieName)
        value.append(UInt8(ascii: "="))
        value.append(token)
        guard let first = fields.index(of: .cookie) else {
            return fields.append(name: fieldName.span, value: value.span)
        }
        let rest = joinedRest(of: fields)
        if !rest.isEmpty {
            value.append("; ")
            value.append(contentsOf: rest)
        }
        fields.replaceValue(at: first, with: value.span)
        removeOthers(after: first, in: &fields)
    }

    /// Removes every pair of that name; a field left empty is dropped. Fields without one stay as they are.
    static func removeToken(from fields: inout Fields) {
        guard TokenField.isPresent(in: fields, carrier: .cookie), let first = fields.index(of: .cookie)
        else { return }
        let rest = joinedRest(of: fields)
        removeOthers(after: first, in: &fields)
        if rest.isEmpty {
            fields.remove(at: first)
        } else {
            fields.replaceValue(at: first, with: rest.span)
        }
    }

    private static func joinedRest(of fields: borrowing Fields) -> [UInt8] {
        var rest: [UInt8] = []
        var next = fields.index(of: .cookie)
        while let index = next {
            let kept = CookiePairs.removing(TokenField.cookieName, from: fields.value(index))
            if !kept.isEmpty {
                if !rest.isEmpty { rest.append("; ") }
                rest.append(contentsOf: kept)
            }
            next = fields.index(of: .cookie, from: index + 1)
        }
        return rest
    }

    private static func removeOthers(after first: Int, in fields: inout Fields) {
        while let another = fields.index(of: .cookie, from: first + 1) { fields.remove(at: another) }
    }
}

/// The pairs of one cookie string. A pair ends at `;`, one space after it belongs to the separator; quotes have no
/// meaning.
enum CookiePairs {
    static func contains(_ name: StaticString, in value: Span<UInt8>) -> Bool {
        var isFound = false
        forEach(value) { pair, _ in if isNamed(name, value, pair) { isFound = true } }
        return isFound
    }

    /// All other pairs with the separators between them, byte for byte.
    static func removing(_ name: StaticString, from value: Span<UInt8>) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(value.count)
        var separator = 0..<0
        forEach(value) { pair, following in
            guard !isNamed(name, value, pair) else { return }
            kept.append(value.extracting(separator))
            kept.append(value.extracting(pair))
            separator = pair.upperBound..<following
        }
        return kept
    }

    /// `following` is where the next pair begins: the end, for the last one.
    private static func forEach(_ value: Span<UInt8>, _ body: (Range<Int>, _ following: Int) -> Void) {
        var start = 0
        while true {
            let end = value.firstIndex(of: UInt8(ascii: ";"), in: start..<value.count)
            var next = min(end + 1, value.count)
            if next < value.count, value[next] == 0x20 { next += 1 }
            body(start..<end, next)
            if end == value.count { return }
            start = next
        }
    }

    /// Blanks around a name are no part of it for servers that read cookies, so they hide no pair from us.
    private static func isNamed(_ name: StaticString, _ value: Span<UInt8>, _ pair: Range<Int>)
        -> Bool
    {
        let end = value.firstIndex(of: UInt8(ascii: "="), in: pair)
        return value.extracting(value.trimmed(pair.lowerBound..<end)).equals(name)
    }
}
