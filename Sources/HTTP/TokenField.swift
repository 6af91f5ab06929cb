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
                if CookieString.contains(cookieName, in: fields.value(index)) { return true }
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
            if isPresent(in: fields, carrier: .cookie) || isPresent(in: fields, carrier: .header) { return false }
        case .replace:
            break
        }
        switch carrier {
        case .cookie:
            if policy == .replace { fields.removeAll(.xAwsWafToken) }
            CookieHeader.set(token, named: cookieName, in: &fields)
        case .header:
            if policy == .replace { CookieHeader.remove(cookieName, from: &fields) }
            setHeader(token, in: &fields)
        }
        return true
    }

    /// Takes the token off, in both carriers.
    public static func remove(from fields: inout Fields) {
        fields.removeAll(.xAwsWafToken)
        CookieHeader.remove(cookieName, from: &fields)
    }

    private static func setHeader(_ token: Span<UInt8>, in fields: inout Fields) {
        guard let first = fields.index(of: .xAwsWafToken) else {
            return fields.append("x-aws-waf-token") { $0.append(token) }
        }
        fields.replaceValue(at: first, with: token)
        fields.removeAll(.xAwsWafToken, except: first)
    }
}
