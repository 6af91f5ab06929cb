/// Writes one line of the log into memory that the caller lends: no allocation, no Foundation.
///
/// Bytes that do not fit are left out, so callers size the memory for the longest line they can make.
struct LineWriter {
    /// How a text is made safe inside its surroundings.
    enum Quoting {
        /// As it is.
        case none
        /// Inside the quotes of a text line: `"` becomes `\"`.
        case text
        /// Inside a JSON string (RFC 8259 §7): `"` and `\` get a backslash; the rest is printable ASCII already.
        case json
    }

    private let memory: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
        self.memory = memory
    }

    /// What was written so far.
    var line: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: memory[..<count])
    }

    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        guard count < memory.count else { return }
        memory[count] = byte
        count += 1
    }

    mutating func literal(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        guard text.hasPointerRepresentation, count + length <= memory.count else { return }
        (memory.baseAddress! + count).update(from: text.utf8Start, count: length)
        count += length
    }

    /// A text from outside through the one escaper, cut to `limit` characters before quoting.
    @inline(__always)
    mutating func escaped(_ bytes: some Sequence<UInt8>, quoting: Quoting, limit: Int = Escaper.defaultLimit) {
        var end = count
        var fitting = count
        let memory = memory
        func put(_ byte: UInt8) {
            guard end < memory.count else { return }
            memory[end] = byte
            end += 1
        }
        let cut = Escaper.forEachEscaped(bytes, limit: limit) { byte in
            let needsBackslash =
                (byte == UInt8(ascii: "\"") && quoting != .none) || (byte == UInt8(ascii: "\\") && quoting == .json)
            if needsBackslash { put(UInt8(ascii: "\\")) }
            put(byte)
        } mark: {
            fitting = end
        }
        count = cut ? fitting : end
        if cut { literal("...") }
    }

    mutating func unsigned(_ value: UInt64, minimumDigits: Int = 1) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)  // room for the 20 digits of the largest value
        withUnsafeMutableBytes(of: &digits) { digits in
            var rest = value
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            while digits.count - start < minimumDigits && start > 0 {
                start -= 1
                digits[start] = UInt8(ascii: "0")
            }
            for index in start..<digits.count { byte(digits[index]) }
        }
    }

    mutating func integer(_ value: Int) {
        if value < 0 { byte(UInt8(ascii: "-")) }
        unsigned(UInt64(value.magnitude))
    }

    mutating func hexadecimal(_ value: UInt64) {
        var shift = 60
        while shift > 0 && value >> UInt64(shift) == 0 { shift -= 4 }
        while shift >= 0 {
            byte(hexDigit(UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 0xf))
            shift -= 4
        }
    }
}
