/// The value of Content-Length (RFC 9110 §8.6): digits alone, no sign, no list, at most `Int64.max`.
enum ContentLength {
    /// The length that the fields name, or nil where they name none.
    static func read(_ fields: borrowing Fields) throws(HTTPError) -> UInt64? {
        guard let index = fields.index(of: .contentLength) else { return nil }
        guard fields.index(of: .contentLength, from: index + 1) == nil else { throw HTTPError(.repeatedContentLength) }
        return try parse(fields.value(index))
    }

    static func parse(_ value: Span<UInt8>) throws(HTTPError) -> UInt64 {
        guard value.count > 0 else { throw HTTPError(.malformedContentLength) }
        var length: UInt64 = 0
        for index in 0..<value.count {
            guard isDigit(value[index]) else { throw HTTPError(.malformedContentLength) }
            let (product, isTooLarge) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(UInt64(value[index] - UInt8(ascii: "0")))
            guard !isTooLarge, !overflows, sum <= UInt64(Int64.max) else { throw HTTPError(.malformedContentLength) }
            length = sum
        }
        return length
    }
}
