internal import COpenSSL

/// What a person is told of a certificate. Its texts come from the peer: escape them before they go anywhere.
extension Certificate {
    /// Takes a reference of its own.
    convenience init(sharing pointer: OpaquePointer) {
        X509_up_ref(pointer)
        self.init(owning: pointer)
    }

    /// The subject, such as `CN=shop.test` (RFC 2253), at most 40 bytes of it.
    var subjectText: String { Self.text(of: X509_get_subject_name(pointer)) }

    /// The issuer in the same form.
    var issuerText: String { Self.text(of: X509_get_issuer_name(pointer)) }

    /// The first day on which it is valid, in UTC, as `2026-01-31`.
    var notBefore: String { Self.day(X509_get0_notBefore(pointer)) }

    /// The last day on which it is valid.
    var notAfter: String { Self.day(X509_get0_notAfter(pointer)) }

    /// The hosts and addresses it is for (RFC 5280 §4.2.1.6), each at most 40 bytes.
    var subjectNames: [String] {
        guard let names = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else { return [] }
        let list = OpaquePointer(names)
        defer { GENERAL_NAMES_free(list) }
        return (0..<wtp_GENERAL_NAMES_count(list)).compactMap { Self.text(of: wtp_GENERAL_NAMES_value(list, $0)) }
    }

    private static func text(of name: UnsafeMutablePointer<GENERAL_NAME>?) -> String? {
        guard let name else { return nil }
        var type: Int32 = 0
        guard let value = GENERAL_NAME_get0_value(name, &type), type == GEN_DNS || type == GEN_IPADD else { return nil }
        let string = value.assumingMemoryBound(to: ASN1_STRING.self)
        let bytes = UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
        if type == GEN_DNS { return shortened(String(decoding: bytes, as: UTF8.self)) }
        return IPOctets(Array(bytes))?.text
    }

    private static func text(of name: OpaquePointer?) -> String {
        guard let memory = try? MemoryBIO(), X509_NAME_print_ex(memory.pointer, name, 0, wtp_XN_FLAG_RFC2253()) >= 0
        else {
            return "an unreadable name"
        }
        let text = memory.text
        return text.isEmpty ? "an empty name" : shortened(text)
    }

    private static func shortened(_ text: String) -> String {
        text.utf8.count <= 40 ? text : String(decoding: text.utf8.prefix(37), as: UTF8.self) + "..."
    }

    private static func day(_ time: UnsafePointer<ASN1_TIME>?) -> String {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return "an unreadable day" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }
}
