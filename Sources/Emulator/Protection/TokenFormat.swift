internal import HTTP
internal import TLS

/// The text form of tokens: `emulated:` identifier `:` claims `:` HMAC-SHA-256, of letters, digits and `:+/=-`.
///
/// Our own format; it imitates the length and the alphabet of the real service's tokens, not their content. A value
/// that was altered in any byte, or made under another key, is unreadable.
struct TokenFormat: Sendable {
    /// Length of a token in bytes where nothing else is asked for.
    static let defaultLength = 234
    /// The longest token that is made.
    static let lengths = 234...4096
    /// The longest domain that is put into a token: as long as a DNS name gets.
    static let maximumDomain = 253

    private static let prefix = Array("emulated:".utf8)
    private static let identifierLength = 36
    private static let codeLength = 44
    private static let fixedLength = prefix.count + identifierLength + 1 + 1 + codeLength
    private static let version: UInt8 = 1
    private static let headLength = 27

    private let key: [UInt8]

    /// Tokens made under one key are readable under that key alone.
    init(key: [UInt8]) { self.key = key }

    /// Makes a token.
    ///
    /// - Parameter length: in bytes; one less where no text of that length exists, more where the domain needs it.
    func write(_ claims: TokenClaims, length: Int = defaultLength) -> [UInt8] {
        var body: [UInt8] = [Self.version]
        let hasChallenge: UInt8 = claims.challengeSolvedAt == nil ? 0 : 1
        let hasCaptcha: UInt8 = claims.captchaSolvedAt == nil ? 0 : 2
        body.append(hasChallenge | hasCaptcha)
        body.append(claims.serial)
        body.append(UInt64(bitPattern: claims.challengeSolvedAt ?? 0))
        body.append(UInt64(bitPattern: claims.captchaSolvedAt ?? 0))
        let domain = claims.domain.utf8.prefix(Self.maximumDomain)
        body.append(UInt8(domain.count))
        body.append(contentsOf: domain)
        // Unpadded base 64 turns n bytes into ceil(4n / 3) letters.
        let room = (length - Self.fixedLength) * 3 / 4
        if body.count < room { body.append(contentsOf: SecureRandom.bytes(room - body.count)) }

        var text = Self.prefix
        text.append(contentsOf: Self.identifier())
        text.append(UInt8(ascii: ":"))
        text.append(contentsOf: Base64.encode(body, isPadded: false))
        let code = HMACSHA256.code(for: text.span, key: key)
        text.append(UInt8(ascii: ":"))
        text.append(contentsOf: Base64.encode(code.bytes))
        return text
    }

    /// Reads a token; nil where it is not one of ours, unaltered.
    func read(_ text: [UInt8]) -> TokenClaims? {
        guard text.count > Self.fixedLength, text.starts(with: Self.prefix) else { return nil }
        let end = text.count - Self.codeLength - 1
        guard text[end] == UInt8(ascii: ":"), let code = Base64.decode(text[(end + 1)...]) else { return nil }
        guard HMACSHA256.code(for: text.span.extracting(..<end), key: key).matches(code) else { return nil }
        let start = Self.prefix.count + Self.identifierLength + 1
        guard let body = Base64.decode(text[start..<end]), body.count >= Self.headLength, body[0] == Self.version else {
            return nil
        }
        let domainEnd = Self.headLength + Int(body[26])
        guard body.count >= domainEnd else { return nil }
        return TokenClaims(
            serial: body.number(at: 2),
            challengeSolvedAt: body[1] & 1 == 0 ? nil : Int64(bitPattern: body.number(at: 10)),
            captchaSolvedAt: body[1] & 2 == 0 ? nil : Int64(bitPattern: body.number(at: 18)),
            domain: String(decoding: body[Self.headLength..<domainEnd], as: UTF8.self))
    }

    /// Makes a token unreadable without changing its length or alphabet.
    static func corrupt(_ text: [UInt8]) -> [UInt8] {
        var text = text
        let place = text.count - 10
        text[place] = text[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return text
    }

    /// Eight hexadecimal digits of the SHA-256 of a token's text: what records and people see of it.
    static func fingerprint(_ text: [UInt8]) -> String { String(SHA256.hash(text.span).hex.prefix(8)) }

    /// A random version 4 UUID in lower case (RFC 9562 §5.4).
    private static func identifier() -> [UInt8] {
        var bytes = SecureRandom.bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(identifierLength)
        for (i, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(i) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }
}

extension [UInt8] {
    /// Adds eight bytes, most significant first.
    fileprivate mutating func append(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    /// Eight bytes, most significant first.
    fileprivate func number(at index: Int) -> UInt64 {
        self[index..<(index + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
