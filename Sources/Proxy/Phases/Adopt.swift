internal import HTTP
internal import Upstream
internal import WAFTokens

/// `responseToken: adopt`: a token that an origin sets belongs to the provider, not to the client.
extension RequestContext {
    func adoptToken(from exchange: Exchange) async {
        guard let route, let provider = route.provider, rules.isVerified(route),
            provider.policy.adoptsResponseToken(overTLS: route.scheme == .https)
        else { return }
        for token in exchange.head.fields.takeSetTokens() {
            await provider.provider.adopt(token, overTLS: true)
        }
    }
}

extension Fields {
    /// Removes the `Set-Cookie` fields that set a token, and gives back the tokens. What cannot be a token stays.
    mutating func takeSetTokens() -> [[UInt8]] {
        var tokens: [[UInt8]] = []
        while let (index, token) = firstSetToken() {
            tokens.append(token)
            remove(at: index)
        }
        return tokens
    }

    private func firstSetToken() -> (index: Int, token: [UInt8])? {
        var next = index(of: .setCookie)
        while let index = next {
            let field = value(index)
            if let range = SetCookie.value(of: TokenField.cookieName, in: field) {
                let token = field.extracting(range).withUnsafeBufferPointer { Array($0) }
                if (try? WAFToken(token)) != nil { return (index, token) }
            }
            next = self.index(of: .setCookie, from: index + 1)
        }
        return nil
    }
}
