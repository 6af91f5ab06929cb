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

/// Whether a listed host's token belongs on a request, and if not, why.
enum Belonging {
    case yes
    /// The origin's certificate is not verified.
    case unverifiedOrigin
    case preflight
    case outsideCookiePath
    /// The client brought a token that is to stay.
    case clientHasToken
}

/// Which requests a provider's token belongs on, where they go, and how the token is written. Pure.
extension AttachPolicy {
    /// Whether the token belongs on this request; `isVerified`: plain http, or the origin's certificate is checked.
    func belonging(on head: borrowing RequestHead, isVerified: Bool) -> Belonging {
        if !isVerified, !allowInsecureToken { return .unverifiedOrigin }
        if !attachToPreflight, head.isPreflight { return .preflight }
        guard covers(path: head.pathBytes) else { return .outsideCookiePath }
        let mayAttach =
            switch clientToken {
            case .replace: true
            case .keep: !TokenField.isPresent(in: head.fields, carrier: fieldCarrier)
            case .fill:
                !TokenField.isPresent(in: head.fields, carrier: .cookie)
                    && !TokenField.isPresent(in: head.fields, carrier: .header)
            }
        return mayAttach ? .yes : .clientHasToken
    }

    /// What is dialled for what a client asked: over TLS where the provider upgrades.
    func dialled(_ scheme: Scheme, _ authority: Authority) -> (scheme: Scheme, authority: Authority) {
        guard scheme == .http, upgradeToTLS else { return (scheme, authority) }
        let isStandard = authority.port == Scheme.http.defaultPort
        return (.https, isStandard ? Authority(host: authority.host, port: Scheme.https.defaultPort) : authority)
    }

    /// Whether a secret that goes out over `scheme` may only go to a private peer.
    func needsPrivatePeer(over scheme: Scheme) -> Bool { scheme == .http && !allowPlainHTTP }

    /// Puts the token on; what it was decided to take the place of goes.
    func attach(_ token: WAFToken, to fields: inout Fields) {
        TokenField.attach(token.bytes, carrier: fieldCarrier, to: &fields)
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
