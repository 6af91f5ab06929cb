internal import HTTP
internal import WAFTokens

/// One answer of the admin listener. Never stored, never for another site's pages.
struct AdminAnswer: Sendable, Equatable {
    /// What stands in it.
    enum Content: Sendable, Equatable {
        case json(JSONValue)
        /// Bytes with their media type.
        case bytes([UInt8], type: String)
    }

    var status = 200
    var content: Content
    /// Methods for `Allow`, with status 405.
    var allow: String?
    /// Fields of one answer alone.
    var extraFields: [(name: StaticString, value: String)] = []

    init(_ body: JSONValue, status: Int = 200) {
        self.status = status
        content = .json(body)
    }

    init(_ bytes: [UInt8], type: String) { content = .bytes(bytes, type: type) }

    /// `{"error":CODE,"message":SENTENCE}`
    init(error code: String, _ sentence: String, status: Int) {
        self.init(.members(["error": .text(code), "message": .text(sentence)]), status: status)
    }

    /// The document, where it is one.
    var json: JSONValue? {
        if case .json(let value) = content { value } else { nil }
    }

    func write(to method: Method, keeps: Bool, into out: inout [UInt8]) {
        let (bytes, type) =
            switch content {
            case .json(let value): (value.bytes + [UInt8(ascii: "\n")], "application/json")
            case .bytes(let bytes, let type): (bytes, type)
            }
        var response = ResponseHead()
        response.status = status
        response.fields.append("Content-Type", type)
        response.fields.append("Content-Length", "\(bytes.count)")
        response.fields.append("Cache-Control", "no-store")
        response.fields.append("X-Content-Type-Options", "nosniff")
        if status == 401 { response.fields.append("WWW-Authenticate", "Bearer realm=\"waf-token-proxy\"") }
        if let allow { response.fields.append("Allow", allow) }
        for field in extraFields { response.fields.append(field.name, field.value) }
        if !keeps { response.fields.append("Connection", "close") }
        HeadWriter.write(response: response, into: &out)
        if method != .head { out += bytes }
    }

    static func == (left: AdminAnswer, right: AdminAnswer) -> Bool {
        left.status == right.status && left.content == right.content && left.allow == right.allow
            && left.extraFields.elementsEqual(right.extraFields) {
                "\($0.name)" == "\($1.name)" && $0.value == $1.value
            }
    }
}
