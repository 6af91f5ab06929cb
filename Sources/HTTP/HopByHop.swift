/// Fields that are meant for one connection alone (RFC 9110 §7.6.1).
public enum HopByHop {
    /// Removes hop-by-hop fields and those that `Connection` nominates.
    ///
    /// `Host`, `Cookie`, `Content-Length`, `Via` and the token's header cannot be nominated away. `Transfer-Encoding` goes:
    /// who sends sets it. `TE: trailers` stays, with the `Connection: TE` that it needs, because trailers are passed on.
    /// `keepingUpgrade` leaves `Upgrade: websocket` with its `Connection: Upgrade`.
    public static func strip(_ fields: inout Fields, keepingUpgrade: Bool) {
        guard keepingUpgrade || fields.mayContain(removed) else { return }
        let wantsTrailers = fields.list(.te, contains: "trailers")
        dropNominated(&fields)
        let options: StaticString = keepingUpgrade ? wantsTrailers ? "Upgrade, TE" : "Upgrade" : "TE"
        var kept: Kept = []
        for index in 0..<fields.count {
            switch fields.known(index) {
            case .connection where keepingUpgrade || wantsTrailers:
                keep(.connection, index, options, &kept, &fields)
            case .te where wantsTrailers:
                keep(.te, index, "trailers", &kept, &fields)
            case .upgrade where keepingUpgrade:
                keep(.upgrade, index, "websocket", &kept, &fields)
            case let known where known.mask & removed != 0:
                fields.entries[index].isDropped = true
            default:
                break
            }
        }
        fields.removeDropped()
        if keepingUpgrade || wantsTrailers, !kept.contains(.connection) {
            fields.append("Connection") { $0.append(options) }
        }
    }

    private static let removed: KnownField.Mask =
        KnownField.connection.mask | KnownField.proxyConnection.mask | KnownField.keepAlive.mask | KnownField.te.mask
        | KnownField.upgrade.mask | KnownField.transferEncoding.mask | KnownField.http2Settings.mask
        | KnownField.proxyAuthorization.mask | KnownField.proxyAuthenticate.mask
        | KnownField.proxyAuthenticationInfo.mask

    /// What `Connection` cannot take away; the last three have rules of their own.
    private static let protected: KnownField.Mask =
        KnownField.host.mask | KnownField.cookie.mask | KnownField.contentLength.mask | KnownField.via.mask
        | KnownField.xAwsWafToken.mask | KnownField.connection.mask | KnownField.te.mask | KnownField.upgrade.mask

    private struct Kept: OptionSet {
        let rawValue: UInt8
        static let connection = Kept(rawValue: 1)
        static let te = Kept(rawValue: 2)
        static let upgrade = Kept(rawValue: 4)
    }

    /// The first field of its kind stays, saying `value`; others go.
    private static func keep(
        _ kind: Kept, _ index: Int, _ value: StaticString, _ kept: inout Kept, _ fields: inout Fields
    ) {
        guard kept.insert(kind).inserted else {
            fields.entries[index].isDropped = true
            return
        }
        if !fields.value(index).equals(value) { fields.replaceValue(at: index, with: value) }
    }

    /// Marks what `Connection` nominates.
    private static func dropNominated(_ fields: inout Fields) {
        var next = fields.index(of: .connection)
        while let index = next {
            let value = Int(fields.entries[index].valueStart)..<Int(fields.entries[index].valueEnd)
            var start = value.lowerBound
            while start <= value.upperBound {
                let end = fields.bytes.span.firstIndex(of: UInt8(ascii: ","), in: start..<value.upperBound)
                drop(nominated: fields.bytes.span.trimmed(start..<end), &fields)
                start = end + 1
            }
            next = fields.index(of: .connection, from: index + 1)
        }
    }

    private static func drop(nominated option: Range<Int>, _ fields: inout Fields) {
        guard canBeNominated(option, fields) else { return }
        for index in 0..<fields.count where isName(of: index, option, fields) {
            fields.entries[index].isDropped = true
        }
    }

    /// `close` is no field.
    private static func canBeNominated(_ option: Range<Int>, _ fields: borrowing Fields) -> Bool {
        let option = fields.bytes.span.extracting(option)
        return option.count > 0 && !option.equalsIgnoringCase("close") && KnownField(option).mask & protected == 0
    }

    private static func isName(of index: Int, _ option: Range<Int>, _ fields: borrowing Fields) -> Bool {
        fields.name(index).equalsIgnoringCase(fields.bytes.span.extracting(option))
    }
}
