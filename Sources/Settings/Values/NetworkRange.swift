/// An address or a network: `10.0.0.0/8`, `::1`, `fd00::/8`.
public struct NetworkRange: Sendable, Hashable, CustomStringConvertible {
    /// Network bytes, 4 or 16; those beyond the prefix are zero.
    public let bytes: [UInt8]
    /// How many leading bits count.
    public let prefixLength: Int
    /// The canonical spelling.
    public let description: String

    /// Reads an address or `ADDRESS/BITS`; nil for anything else, and where a bit is set beyond the prefix.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(HostText.withoutBrackets(String(parts[0]))) else { return nil }
        let bits = address.bytes.count * 8
        guard parts.count == 2 else {
            bytes = address.bytes
            prefixLength = bits
            description = address.description
            return
        }
        guard let length = Int(decimal: parts[1]), length <= bits else { return nil }
        for bit in length..<bits where address.bytes[bit / 8] & (0x80 >> (bit % 8)) != 0 { return nil }
        bytes = address.bytes
        prefixLength = length
        description = "\(address)/\(length)"
    }
}
