/// Puts the chunked coding on a body (RFC 9112 §7.1).
public enum ChunkedEncoder {
    /// Appends the line before a chunk of `count` bytes; 0 would end the body and is refused.
    public static func begin(chunkOf count: Int, into out: inout [UInt8]) {
        precondition(count > 0, "an empty chunk ends the body")
        var shift = (Int.bitWidth - count.leadingZeroBitCount - 1) / 4 * 4
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: (count >> shift) & 15)
            out.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
            shift -= 4
        }
        endChunk(into: &out)
    }

    /// Appends the line end after a chunk.
    public static func endChunk(into out: inout [UInt8]) {
        out.append(UInt8(ascii: "\r"))
        out.append(UInt8(ascii: "\n"))
    }

    /// Appends the last chunk and the trailers; fields that may not stand there are left out (RFC 9110 §6.5.1).
    public static func end(trailers: borrowing Fields = Fields(), into out: inout [UInt8]) {
        out.append("0\r\n")
        for index in 0..<trailers.count where TrailerSection.allows(trailers.known(index)) {
            out.append(trailers.line(index))
            out.append("\r\n")
        }
        out.append("\r\n")
    }
}
