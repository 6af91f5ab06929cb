internal import COpenSSL

/// DNS names and addresses of a certificate. Owns one `GENERAL_NAMES`.
final class AlternativeNames {
    let pointer: OpaquePointer

    /// Names go in as they are: nothing is parsed out of them.
    init(dnsNames: [String], ipAddresses: [String]) throws(TLSError) {
        pointer = try require(wtp_GENERAL_NAMES_new(), "GENERAL_NAMES_new")
        for name in dnsNames {
            guard !name.isEmpty else { throw TLSError(.malformedInput, "an empty DNS name", faults: []) }
            try push(makeGeneralName(dns: name))
        }
        for address in ipAddresses {
            guard let octets = IPOctets(address) else {
                throw TLSError(.malformedInput, "not an IP address", faults: [])
            }
            try push(makeGeneralName(octets: octets.bytes))
        }
    }

    deinit { GENERAL_NAMES_free(pointer) }

    private func push(_ name: UnsafeMutablePointer<GENERAL_NAME>) throws(TLSError) {
        guard wtp_GENERAL_NAMES_push(pointer, name) == 1 else {
            GENERAL_NAME_free(name)
            throw TLSError(.library, "sk_GENERAL_NAME_push failed")
        }
    }
}

/// The subtrees of a name constraints extension. Owns one `NAME_CONSTRAINTS`.
final class ConstraintTrees {
    let pointer: UnsafeMutablePointer<NAME_CONSTRAINTS>

    /// Where a kind is to be excluded beside one that is permitted, a name of that kind that nobody can have is permitted
    /// instead. Excluding says the same, but clients fail over it: Java ends with an exception at the empty name that
    /// would exclude all names, and at an excluded range of the other kind of address; and GnuTLS lets any IPv6 address
    /// pass where only IPv4 addresses are permitted.
    init(_ constraints: NameConstraints) throws(TLSError) {
        pointer = try require(NAME_CONSTRAINTS_new(), "NAME_CONSTRAINTS_new")
        let names = constraints.permittedDNS
        for name in names.isEmpty ? [Self.nobodysName] : names {
            try push(makeGeneralName(dns: name), isExcluded: false)
        }
        if constraints.permittedIPs.isEmpty {
            // A mask of zeros covers every address (RFC 5280 §4.2.1.10).
            for size in [4, 16] {
                try push(makeGeneralName(octets: [UInt8](repeating: 0, count: 2 * size)), isExcluded: true)
            }
            return
        }
        var addresses = constraints.permittedIPs.compactMap(IPOctets.init)
        for nobodys in Self.nobodysAddresses.compactMap(IPOctets.init)
        where !addresses.contains(where: { $0.bytes.count == nobodys.bytes.count }) {
            addresses.append(nobodys)
        }
        for address in addresses {
            let mask = [UInt8](repeating: 0xff, count: address.bytes.count)
            try push(makeGeneralName(octets: address.bytes + mask), isExcluded: false)
        }
    }

    /// Kept free of owners by RFC 6761 §6.4.
    private static let nobodysName = "invalid"
    /// The limited broadcast (RFC 919 §7) and the discard prefix (RFC 6666): nothing can be connected there.
    private static let nobodysAddresses = ["255.255.255.255", "100::"]

    deinit { NAME_CONSTRAINTS_free(pointer) }

    private func push(_ name: UnsafeMutablePointer<GENERAL_NAME>, isExcluded: Bool) throws(TLSError) {
        guard wtp_NAME_CONSTRAINTS_push(pointer, isExcluded ? 1 : 0, name) == 1 else {
            GENERAL_NAME_free(name)
            throw TLSError(.library, "sk_GENERAL_SUBTREE_push failed")
        }
    }
}

/// A dNSName of visible ASCII, up to 253 bytes. The caller owns it.
private func makeGeneralName(dns name: String) throws(TLSError) -> UnsafeMutablePointer<GENERAL_NAME> {
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), name.utf8.count <= 253 else {
        throw TLSError(.malformedInput, "not a DNS name in ASCII", faults: [])
    }
    return try makeGeneralName(GEN_DNS, ASN1_IA5STRING_new(), Array(name.utf8))
}

/// An iPAddress: an address, or in constraints an address and its mask. The caller owns it.
private func makeGeneralName(octets: [UInt8]) throws(TLSError) -> UnsafeMutablePointer<GENERAL_NAME> {
    try makeGeneralName(GEN_IPADD, ASN1_OCTET_STRING_new(), octets)
}

private func makeGeneralName(
    _ kind: Int32, _ empty: UnsafeMutablePointer<ASN1_STRING>?, _ bytes: [UInt8]
) throws(TLSError) -> UnsafeMutablePointer<GENERAL_NAME> {
    let text = try require(empty, "ASN1_STRING_new")
    guard ASN1_STRING_set(text, bytes, Int32(bytes.count)) == 1, let name = GENERAL_NAME_new() else {
        ASN1_STRING_free(text)
        throw TLSError(.library, "a general name could not be made")
    }
    GENERAL_NAME_set0_value(name, kind, UnsafeMutableRawPointer(text))
    return name
}
