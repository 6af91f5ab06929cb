internal import HTTP

/// One request to the admin listener, whole. Plain data: nothing of it has been judged yet.
struct AdminRequest: Sendable {
    var method = Method.get
    /// Path as it was written, without the query.
    var path = "/"
    /// Query without its question mark.
    var query = ""
    var host: String?
    var authorization: String?
    var contentType: String?
    /// Empty where there is none.
    var body: [UInt8] = []

    init() {}

    /// Nil for a target in another form than `/path?query`: the client takes this for a proxy.
    init?(_ head: borrowing RequestHead) {
        guard case .origin = head.target else { return nil }
        let target = String(decoding: head.targetBytes, as: UTF8.self)
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = head.method
        path = String(parts[0])
        query = parts.count > 1 ? String(parts[1]) : ""
        host = head.fields.single(.host)
        contentType = head.fields.single(.contentType)
        if let index = head.fields.index(ofName: "authorization") { authorization = head.fields.text(index) }
    }

    /// The value of a query parameter, with `%XX` and `+` resolved (URL Standard, application/x-www-form-urlencoded).
    func parameter(_ name: String) -> String? {
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if PercentText.decoded(pair[0], plusIsBlank: true) == name {
                return pair.count > 1 ? PercentText.decoded(pair[1], plusIsBlank: true) : ""
            }
        }
        return nil
    }
}

/// Percent-encoding (RFC 3986 §2.1).
enum PercentText {
    /// Nil where an escape is malformed or the bytes are no UTF-8.
    static func decoded(_ text: some StringProtocol, plusIsBlank: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Everything but the unreserved characters of RFC 3986 §2.3 as `%XX`.
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            isUnreserved(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z"))
            || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || "-._~".utf8.contains(byte)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Fields {
    fileprivate func text(_ index: Int) -> String {
        value(index).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of a field that stands once.
    fileprivate func single(_ field: KnownField) -> String? {
        guard let index = index(of: field), !isRepeated(field) else { return nil }
        return text(index)
    }
}
