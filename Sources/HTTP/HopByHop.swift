/// Fields that are meant for one connection alone (RFC 9110 §7.6.1).
public enum HopByHop {
    /// Removes hop-by-hop fields and those that `Connection` nominates, from requests and from responses.
    ///
    /// `Transfer-Encoding` goes as well: who writes the message sets it. `TE: trailers` stays, with the `Connection: TE`
    /// that it needs, because trailers are passed on. `keepingUpgrade` leaves `Upgrade: websocket` with its
    /// `Connection: Upgrade`; other protocols (h2c) never stay. Fields that say where a message ends, whom it is for or
    /// who sent it cannot be nominated away.
    public static func strip(_ fields: inout Fields, keepingUpgrade: Bool) {
        guard hasAny(fields) else { return }
        let keepsUpgrade = keepingUpgrade && fields.list(.upgrade, contains: "websocket")
        let wantsTrailers = fields.list(.te, contains: "trailers")
        fields.removeNominated()
        var connection: Int?
        var hasUpgrade = false
        var hasTE = false
        var index = 0
        while index < fields.count {
            switch fields.known(index) {
            case .connection where connection == nil && (keepsUpgrade || wantsTrailers):
                connection = index
                index += 1
            case .te where wantsTrailers && !hasTE:
                hasTE = true
                if !fields.value(index).equalsIgnoringCase("trailers") {
                    fields.replaceValue(at: index) { $0.append("trailers") }
                }
                index += 1
            case .upgrade where keepsUpgrade && !hasUpgrade:
                hasUpgrade = true
                if !fields.value(index).equalsIgnoringCase("websocket") {
                    fields.replaceValue(at: index) { $0.append("websocket") }
                }
                index += 1
            case .connection, .proxyConnection, .keepAlive, .te, .upgrade, .transferEncoding, .proxyAuthorization,
                .proxyAuthenticate, .proxyAuthenticationInfo, .http2Settings:
                fields.remove(at: index)
            default:
                index += 1
            }
        }
        setOptions(&fields, at: connection, upgrade: keepsUpgrade, te: wantsTrailers)
    }

    /// A message without any of them is the usual one.
    private static func hasAny(_ fields: borrowing Fields) -> Bool {
        fields.mayContain(.connection) || fields.mayContain(.transferEncoding) || fields.mayContain(.proxyConnection)
            || fields.mayContain(.keepAlive) || fields.mayContain(.te) || fields.mayContain(.upgrade)
            || fields.mayContain(.proxyAuthorization) || fields.mayContain(.proxyAuthenticate)
            || fields.mayContain(.proxyAuthenticationInfo) || fields.mayContain(.http2Settings)
    }

    /// `Connection` names what stays, in its place where there was one.
    private static func setOptions(_ fields: inout Fields, at index: Int?, upgrade: Bool, te: Bool) {
        let options: StaticString
        switch (upgrade, te) {
        case (true, true): options = "Upgrade, TE"
        case (true, false): options = "Upgrade"
        case (false, true): options = "TE"
        case (false, false): return
        }
        if let index {
            let isSaidAlready = upgrade && !te && fields.value(index).equalsIgnoringCase("upgrade")
            if !isSaidAlready { fields.replaceValue(at: index) { $0.append(options) } }
        } else {
            fields.append("Connection") { $0.append(options) }
        }
    }
}

extension Fields {
    /// Removes the fields that `Connection` names, where they may be nominated.
    fileprivate mutating func removeNominated() {
        // Bit n: some field's name has n bytes (63 or more: bit 63). A long list of options costs little that way.
        var lengths: UInt64 = 0
        for index in 0..<count where known(index).canBeNominated { lengths |= 1 << UInt64(min(name(index).count, 63)) }
        guard lengths != 0 else { return }
        var next = index(of: .connection)
        while let connection = next {
            mark(nominatedBy: connection, lengths)
            next = index(of: .connection, from: connection + 1)
        }
        entries.removeAll { $0.lineEnd < 0 }
    }

    /// Marks entries by a line end of -1.
    private mutating func mark(nominatedBy connection: Int, _ lengths: UInt64) {
        let value = Int(entries[connection].valueStart)..<Int(entries[connection].valueEnd)
        var start = value.lowerBound
        while start < value.upperBound {
            let end = bytes.span.firstIndex(of: UInt8(ascii: ","), in: start..<value.upperBound)
            let option = bytes.span.trimmed(start..<end)
            start = end + 1
            guard !option.isEmpty, lengths & (1 << UInt64(min(option.count, 63))) != 0 else { continue }
            for index in 0..<entries.count where entries[index].known.canBeNominated {
                let name = Int(entries[index].start)..<Int(entries[index].nameEnd)
                guard name.count == option.count else { continue }
                if bytes.span.extracting(name).equalsIgnoringCase(bytes.span.extracting(option)) {
                    entries[index].lineEnd = -1
                }
            }
        }
    }
}

extension KnownField {
    /// Framing, addressee, credentials, cookies and the token's own fields are for every recipient; the hop-by-hop
    /// fields have their own rule.
    fileprivate var canBeNominated: Bool {
        switch self {
        case .host, .cookie, .setCookie, .contentLength, .transferEncoding, .contentType, .authorization, .via, .expect,
            .trailer, .location, .xAwsWafToken, .xAmznWafAction, .secWebSocketKey, .connection, .te, .upgrade:
            false
        default:
            true
        }
    }
}
