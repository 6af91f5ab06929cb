internal import HTTP

/// What came, as JSON: fields in their order, names and values as they were written.
extension Application {
    /// The request itself. Content up to 64 KiB is echoed: as text where it is UTF-8, else in base 64.
    func echo(allowing methods: [Method]) {
        guard methods.contains(exchange.head.method) else {
            return exchange.answer(
                json: ["error": "method not allowed"], status: 405,
                fields: [("Allow", methods.contains(.get) ? "GET, HEAD" : "POST, PUT, PATCH, DELETE")])
        }
        var members: [JSON.Member] = [
            .init("method", .string(String(decoding: exchange.head.methodBytes, as: UTF8.self))),
            .init("target", .string(fullTarget)),
            .init("scheme", .string(exchange.channel.isTLS ? "https" : "http")),
            .init("headers", headersJSON),
        ]
        if exchange.head.framing != .none {
            members.append(.init("size", .integer(Int(body.size))))
            members.append(.init("sha256", .string(body.sha256)))
            if let text = String(validating: body.content, as: UTF8.self) {
                members.append(.init("body", body.isKept ? .string(text) : .null))
            } else {
                members.append(
                    .init("bodyBase64", .string(String(decoding: Base64.encode(body.content), as: UTF8.self))))
            }
        }
        exchange.answer(json: .object(members))
    }

    /// `[["Host", "shop.test"], …]`: a list, because names repeat and order counts.
    var headersJSON: JSON {
        let fields = exchange.head.fields
        return .array(
            (0..<fields.count).map { [.string(text(fields.name($0))), .string(text(fields.value($0)))] })
    }

    /// The pairs, and the fields they came in.
    var cookiesJSON: JSON {
        let fields = exchange.head.fields
        let pairs = RequestCookies(fields).pairs.map { pair -> JSON in
            [.string(String(decoding: pair.name, as: UTF8.self)), .string(String(decoding: pair.value, as: UTF8.self))]
        }
        let raw = (0..<fields.count).filter { fields.known($0) == .cookie }.map { JSON.string(text(fields.value($0))) }
        return ["cookies": .array(pairs), "fields": .array(raw)]
    }

    private func text(_ bytes: Span<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
