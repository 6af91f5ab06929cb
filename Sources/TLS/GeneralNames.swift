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

    init(_ constraints: NameConstraints) throws(TLSError) {
        pointer = try require(NAME_CONSTRAINTS_new(), "NAME_CONSTRAINTS_new")
        for name in constraints.permittedDNS { try push(makeGeneralName(dns: name), isExcluded: false) }
        for address in constraints.permittedIPs {
            guard let octets = IPOctets(address) else {
                throw TLSError(.malformedInput, "not an IP address", faults: [])
            }
            let mask = [UInt8](repeating: 0xff, count: octets.bytes.count)
            try push(makeGeneralName(octets: octets.bytes + mask), isExcluded: false)
        }
        // Nobody has a name below .invalid (RFC 6761 §6.4). Excluding the empty name, which is in every name, would say
        // the same, but Java ends with an exception of its own at the sight of it.
        if constraints.excludesAllDNS { try push(makeGeneralName(dns: "invalid"), isExcluded: false) }
        // A mask of zeros covers every address (RFC 5280 §4.2.1.10).
        if constraints.excludesAllIPs {
            for size in [4, 16] {
                try push(makeGeneralName(octets: [UInt8](repeating: 0, count: 2 * size)), isExcluded: true)
            }
        }
    }

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
