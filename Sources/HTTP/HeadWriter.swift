/// Writes heads as they go over the wire.
public enum HeadWriter {
    /// Appends status line, fields and the empty line. The version is ours: HTTP/1.1 (RFC 9110 §2.5).
    public static func write(response head: borrowing ResponseHead, into out: inout [UInt8]) {
        out.append("HTTP/1.1 ")
        out.append(decimal: head.status)
        out.append(0x20)
        if head.reason.isEmpty, let phrase = ReasonPhrase.of(head.status) {
            out.append(phrase)
        } else {
            out.append(contentsOf: head.reason)
        }
        out.append("\r\n")
        write(head.fields, into: &out)
    }

    /// Appends the fields, each as it came, and the empty line.
    public static func write(_ fields: borrowing Fields, into out: inout [UInt8]) {
        for index in 0..<fields.count {
            out.append(fields.line(index))
            out.append("\r\n")
        }
        out.append("\r\n")
    }
}

/// Phrases for the statuses that are sent without an origin's own (RFC 9110 §15).
public enum ReasonPhrase {
    public static func of(_ status: Int) -> StaticString? {
        switch status {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 508: "Loop Detected"
        default: nil
        }
    }
}
