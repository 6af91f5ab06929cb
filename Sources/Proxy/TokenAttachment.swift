internal import HTTP
internal import Telemetry
internal import WAFTokens

/// What of ours a request carries.
enum Attachment {
    /// Nothing: not a listed host, or nothing belongs on this request.
    case none
    /// A token belongs on it, but there was none, and the provider's policy is to go without.
    case without
    case token(TokenSnapshot)
}

/// Which requests a provider's token belongs on, and how it is written. Pure.
extension AttachPolicy {
    /// Whether the token belongs on this request; `isVerified`: plain http, or the origin's certificate is checked.
    func applies(to head: borrowing RequestHead, isVerified: Bool) -> Bool {
        if !isVerified, !allowInsecureToken { return false }
        if !attachToPreflight, head.isPreflight { return false }
        guard CookiePath.matches(head.pathBytes, path: cookiePath.span) else { return false }
        switch clientToken {
        case .replace: return true
        case .keep: return !TokenField.isPresent(in: head.fields, carrier: fieldCarrier)
        case .fill:
            return !TokenField.isPresent(in: head.fields, carrier: .cookie)
                && !TokenField.isPresent(in: head.fields, carrier: .header)
        }
    }

    /// Puts the token on; what it was decided to take the place of goes.
    func attach(_ token: WAFToken, to fields: inout Fields) {
        TokenField.attach(token.bytes, carrier: fieldCarrier, policy: .replace, to: &fields)
    }

    /// Adds the provider's own secret fields, in the place of any of the same name.
    func addHeaders(to fields: inout Fields) {
        for header in headers {
            fields.set(name: header.name, value: header.value.reveal())
        }
    }

    private var fieldCarrier: TokenCarrier {
        switch carrier {
        case .cookie: .cookie
        case .header: .header
        }
    }
}

extension Fields {
    /// One field of this name with this value: in the place of the first, else at the end.
    fileprivate mutating func set(name: String, value: String) {
        let (name, value) = (Array(name.utf8), Array(value.utf8))
        var place: Int?
        var index = 0
        while index < count {
            if !self.name(index).equalsIgnoringCase(name.span) {
                index += 1
            } else if place == nil {
                place = index
                index += 1
            } else {
                remove(at: index)
            }
        }
        if let place {
            replaceValue(at: place, with: value.span)
        } else {
            append(name: name.span, value: value.span)
        }
    }
}
