/// What a TLS client says first, as far as it matters before a session begins (RFC 8446 §4.1.2, RFC 5246 §7.4.1.2).
public struct ClientHello: Sendable, Hashable {
    /// The name that the client asks for (RFC 6066 §3), as it wrote it; nil where it names none.
    public let serverName: String?
    /// The protocols that it offers (RFC 7301 §3.1), by its preference.
    public let protocols: [String]

    /// What the first bytes of a connection are.
    public enum Reading: Sendable, Hashable {
        /// They may become a hello; more bytes tell.
        case incomplete
        /// No TLS client begins so.
        case notTLS
        case hello(ClientHello)
        /// TLS, but no hello that could be read: the TLS library says what is wrong with it.
        case unreadable
    }

    /// Looks at the first bytes of a connection, however few, without taking any.
    ///
    /// The hello may be cut into records in any way (RFC 8446 §5.1); one of more than 64 KiB is unreadable.
    public static func read(_ bytes: Span<UInt8>) -> Reading {
        guard bytes.count > 0 else { return .incomplete }
        guard bytes[0] == handshakeRecord, bytes.count < 2 || bytes[1] == 3 else { return .notTLS }
        var message: [UInt8] = []
        var reader = ByteReader(bytes)
        var isFollowedByOther = false
        while !isFollowedByOther, let header = reader.take(5) {
            isFollowedByOther = header[0] != handshakeRecord || header[1] != 3
            if !isFollowedByOther { message += reader.takeUpTo(Int(header[3]) << 8 | Int(header[4])) }
        }
        let reading = reading(of: message)
        return reading == .incomplete && isFollowedByOther ? .unreadable : reading
    }

    private static let handshakeRecord: UInt8 = 22
    private static let largest = 64 * 1024

    /// `message` is what there is of the handshake's bytes.
    private static func reading(of message: [UInt8]) -> Reading {
        guard message.count >= 4 else { return message.isEmpty || message[0] == 1 ? .incomplete : .unreadable }
        guard message[0] == 1 else { return .unreadable }
        let length = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
        guard length <= largest else { return .unreadable }
        guard message.count >= 4 + length else { return .incomplete }
        return ClientHello(body: message[4..<(4 + length)]).map { .hello($0) } ?? .unreadable
    }

    private init?(body: ArraySlice<UInt8>) {
        var serverName: String?
        var protocols: [String] = []
        let body = Array(body)
        var reader = ByteReader(body.span)
        // legacy_version, random, legacy_session_id, cipher_suites, legacy_compression_methods
        guard reader.take(34) != nil, reader.takeVector(1) != nil, reader.takeVector(2) != nil,
            reader.takeVector(1) != nil
        else { return nil }
        if !reader.isEmpty {
            guard let all = reader.takeVector(2) else { return nil }
            var extensions = ByteReader(all.span)
            while !extensions.isEmpty {
                guard let kind = extensions.take(2), let content = extensions.takeVector(2) else { return nil }
                switch (kind[0], kind[1]) {
                case (0, 0): serverName = Self.hostName(in: content)
                case (0, 16): protocols = Self.names(in: content)
                default: break
                }
            }
        }
        self.serverName = serverName
        self.protocols = protocols
    }

    /// The first name of type host_name in a ServerNameList.
    private static func hostName(in content: [UInt8]) -> String? {
        var outer = ByteReader(content.span)
        guard let list = outer.takeVector(2) else { return nil }
        var names = ByteReader(list.span)
        while let kind = names.take(1), let name = names.takeVector(2) {
            if kind[0] == 0 { return String(decoding: name, as: UTF8.self) }
        }
        return nil
    }

    private static func names(in content: [UInt8]) -> [String] {
        var outer = ByteReader(content.span)
        guard let list = outer.takeVector(2) else { return [] }
        var entries = ByteReader(list.span)
        var names: [String] = []
        while let name = entries.takeVector(1) { names.append(String(decoding: name, as: UTF8.self)) }
        return names
    }
}

/// Takes bytes off the front of a span, never beyond its end.
private struct ByteReader: ~Escapable {
    private let bytes: Span<UInt8>
    private var position = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var isEmpty: Bool { position == bytes.count }

    /// nil where fewer are left.
    @_lifetime(self: copy self)
    mutating func take(_ count: Int) -> [UInt8]? {
        guard bytes.count - position >= count else { return nil }
        return takeUpTo(count)
    }

    @_lifetime(self: copy self)
    mutating func takeUpTo(_ count: Int) -> [UInt8] {
        let end = position + min(count, bytes.count - position)
        defer { position = end }
        return bytes.extracting(position..<end).withUnsafeBufferPointer { Array($0) }
    }

    /// A vector whose length stands before it in so many bytes (RFC 8446 §3.4).
    @_lifetime(self: copy self)
    mutating func takeVector(_ lengthBytes: Int) -> [UInt8]? {
        guard let length = take(lengthBytes) else { return nil }
        return take(length.reduce(0) { $0 << 8 | Int($1) })
    }
}
