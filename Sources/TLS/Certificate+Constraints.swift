internal import COpenSSL

extension Certificate {
    /// Whether it has name constraints.
    var hasNameConstraints: Bool { X509_get_ext_by_NID(pointer, NID_name_constraints, -1) >= 0 }

    /// Whether this one's name constraints, if it has any, let it stand above `leaf` (RFC 5280 §4.2.1.10).
    func permits(_ leaf: Certificate) -> Bool {
        defer { ERR_clear_error() }
        guard let found = X509_get_ext_d2i(pointer, NID_name_constraints, nil, nil) else {
            return !hasNameConstraints
        }
        let constraints = found.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
        defer { NAME_CONSTRAINTS_free(constraints) }
        // The check looks at names that are taken out of the extensions here (X509_check_purpose(3)).
        guard X509_check_purpose(leaf.pointer, -1, 0) == 1 else { return false }
        return NAME_CONSTRAINTS_check(leaf.pointer, constraints) == X509_V_OK
    }

    /// Its name constraints in OpenSSL's words, such as `Permitted: DNS:shop.test`; nil where it has none.
    public func nameConstraints() throws(TLSError) -> String? {
        let place = X509_get_ext_by_NID(pointer, NID_name_constraints, -1)
        guard place >= 0, let found = X509_get_ext(pointer, place) else { return nil }
        let memory = try MemoryBIO()
        try require(X509V3_EXT_print(memory.pointer, found, 0, 0), "X509V3_EXT_print")
        return memory.text.split(whereSeparator: { $0 == "\n" || $0 == " " }).joined(separator: " ")
    }
}
