/// Fields that are meant for one connection alone (RFC 9110 §7.6.1).
public enum HopByHop {
    /// Removes hop-by-hop fields and those that `Connection` nominates.
    ///
    /// `Host`, `Cookie`, `Content-Length`, `Transfer-Encoding` and the token's header cannot be nominated away. Framing
    /// fields stay: who sends sets them. `TE: trailers` stays, with the `Connection: TE` that it needs, because trailers
    /// are passed on. `keepingUpgrade` leaves `Upgrade: websocket` with its `Connection: Upgrade`.
    public static func strip(_ fields: inout Fields, keepingUpgrade: Bool) {
        let wantsTrailers = fields.list(.te, contains: "trailers")
        removeNominated(&fields)
        var index = 0
        var connection: Int?
        while index < fields.count {
            switch fields.known(index) {
            case .connection where connection == nil && (keepingUpgrade || wantsTrailers):
                connection = index
                index += 1
            case .te where wantsTrailers:
                if !fields.value(index).equals("trailers") {
                    fields.replaceValue(at: index, with: trailers.span)
                }
                index += 1
            case .upgrade where keepingUpgrade:
                if !fields.value(index).equalsIgnoringCase("websocket") {
                    fields.replaceValue(at: index, with: websocket.span)
                }
                index += 1
            case .connection, .proxyConnection, .keepAlive, .te, .upgrade, .proxyAuthorization,
                .proxyAuthenticate,
                .http2Settings:
                fields.remove(at: index)
            default:
                index += 1
            }
        }
        if let connection {
            fields.replaceValue(at: connection, with: options(keepingUpgrade, wantsTrailers).span)
        }
    }

    private static let trailers = Array("trailers".utf8)
    private static let websocket = Array("websocket".utf8)

    private static func options(_ upgrade: Bool, _ te: Bool) -> [UInt8] {
        Array((upgrade ? te ? "Upgrade, TE" : "Upgrade" : "TE").utf8)
    }

    private static func removeNominated(_ fields: inout Fields) {
        var nominated: [[UInt8]] = []
        var next = fields.index(of: .connection)
        while let index = next {
            TokenList.forEach(fields.value(index)) { name in
                switch KnownField(name) {
                case .host, .cookie, .contentLength, .transferEncoding, .xAwsWafToken, .connection, .te,
                    .upgrade:
                    break
                default: if !isOption(name) { nominated.append(Array(copying: name)) }
                }
                return true
            }
            next = fields.index(of: .connection, from: index + 1)
        }
        for name in nominated {
            var index = fields.count - 1
            while index >= 0 {
                if fields.name(index).equalsIgnoringCase(name.span) { fields.remove(at: index) }
                index -= 1
            }
        }
    }

    /// Options that are no field names.
    private static func isOption(_ name: Span<UInt8>) -> Bool {
        name.equalsIgnoringCase("close") || name.equalsIgnoringCase("keep-alive")
    }
}

extension [UInt8] {
    init(copying bytes: Span<UInt8>) {
        self.init()
        append(bytes)
    }
}

extension Span<UInt8> {
    /// Compares ASCII text whatever the case.
    public func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where lowercased(self[index]) != lowercased(other[index]) {
            return false
        }
        return true
    }
}
