internal import HTTP

/// The token that a request carries, before it is read.
enum PresentedToken: Equatable {
    case none
    case one([UInt8])
    /// Duplicated, where that is refused.
    case ambiguous
}

/// The cookies of a request, in order, byte for byte (RFC 6265 §5.4 as it is sent: pairs between semicolons).
struct RequestCookies {
    /// One pair; a pair without `=` has an empty name, as browsers send it.
    struct Pair: Equatable {
        var name: [UInt8]
        var value: [UInt8]
    }

    private(set) var pairs: [Pair] = []

    /// Adds the pairs of one `Cookie` field value.
    mutating func add(_ field: Span<UInt8>) {
        let bytes = field.withUnsafeBufferPointer { Array($0) }
        for part in bytes.split(separator: UInt8(ascii: ";")) {
            let pair = part.trimmed
            guard !pair.isEmpty else { continue }
            if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
                pairs.append(Pair(name: Array(pair[..<equals]), value: Array(pair[(equals + 1)...])))
            } else {
                pairs.append(Pair(name: [], value: Array(pair)))
            }
        }
    }

    /// All cookies of a request.
    init(_ fields: borrowing Fields) {
        for i in 0..<fields.count where fields.known(i) == .cookie { add(fields.value(i)) }
    }
}

extension PresentedToken {
    static let cookieName = Array("aws-waf-token".utf8)

    /// The cookie, else the header. Also says how many tokens the request carried in all.
    static func find(in fields: borrowing Fields, duplicates: DuplicateCookie) -> (token: PresentedToken, count: Int) {
        let cookies = RequestCookies(fields).pairs.filter { $0.name == cookieName }.map(\.value)
        let headers = (0..<fields.count).filter { fields.known($0) == .xAwsWafToken }
        let count = cookies.count + headers.count
        if let first = cookies.first, let last = cookies.last {
            switch duplicates {
            case .first: return (.one(first), count)
            case .last: return (.one(last), count)
            case .invalid: return (cookies.count == 1 ? .one(first) : .ambiguous, count)
            }
        }
        guard let header = headers.first else { return (.none, 0) }
        return (.one(fields.value(header).withUnsafeBufferPointer { Array($0) }), count)
    }
}

extension ArraySlice<UInt8> {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        while let last = slice.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        return slice
    }
}
