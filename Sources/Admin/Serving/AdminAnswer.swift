internal import HTTP
internal import WAFTokens

/// One answer of the admin listener. Always JSON, never stored, never for another site's pages.
struct AdminAnswer: Sendable, Equatable {
    var status = 200
    var body: JSONValue
    /// Methods for `Allow`, with status 405.
    var allow: String?

    init(_ body: JSONValue, status: Int = 200) {
        self.status = status
        self.body = body
    }

    /// `{"error":CODE,"message":SENTENCE}`
    init(error code: String, _ sentence: String, status: Int) {
        self.init(.members(["error": .text(code), "message": .text(sentence)]), status: status)
    }

    func write(to method: Method, keeps: Bool, into out: inout [UInt8]) {
        var content = body.bytes
        content.append(UInt8(ascii: "\n"))
        var response = ResponseHead()
        response.status = status
        response.fields.append("Content-Type", "application/json")
        response.fields.append("Content-Length", "\(content.count)")
        response.fields.append("Cache-Control", "no-store")
        response.fields.append("X-Content-Type-Options", "nosniff")
        if status == 401 { response.fields.append("WWW-Authenticate", "Bearer realm=\"waf-token-proxy\"") }
        if let allow { response.fields.append("Allow", allow) }
        if !keeps { response.fields.append("Connection", "close") }
        HeadWriter.write(response: response, into: &out)
        if method != .head { out += content }
    }
}
