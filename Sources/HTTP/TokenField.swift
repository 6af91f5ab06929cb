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

    /// Attaches `token`, in the place of any token the request carries in either carrier.
    public static func attach(_ token: Span<UInt8>, carrier: TokenCarrier, to fields: inout Fields) {
        switch carrier {
        case .cookie:
            fields.removeAll(.xAwsWafToken)
            CookieHeader.set(token, named: cookieName, in: &fields)
        case .header:
            CookieHeader.remove(cookieName, from: &fields)
            setHeader(token, in: &fields)
        }
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
