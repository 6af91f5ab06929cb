internal import EventLoop
public import HTTP

/// One whole request to a URL, for token sources.
public struct FetchRequest: Sendable {
    /// Absolute `http` or `https` URL without userinfo; a fragment is not sent.
    public var url: String
    public var method: String
    /// Sent in this order after `Host`; a body adds its `Content-Length`.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]?
    /// For all of it, from the look-up to the last byte of the answer.
    public var timeout: Duration
    /// A longer answer fails with `tooLarge`.
    public var maxBytes: Int
    /// Whether plain `http` may only lead to private addresses; see `OutboundRequest.requiresPrivatePeer`.
    public var requiresPrivatePeer: Bool

    public init(
        url: String, method: String = "GET", headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(10), maxBytes: Int = 64 * 1024, requiresPrivatePeer: Bool = false
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maxBytes = maxBytes
        self.requiresPrivatePeer = requiresPrivatePeer
    }
}

/// A whole answer.
public struct FetchResponse: Sendable {
    public let status: Int
    public let fields: Fields
    public let body: [UInt8]
}

extension UpstreamClient {
    /// Sends `request` and gives back the whole answer, whatever its status. Must be called on the loop.
    ///
    /// Throws `internal` for a URL that cannot be fetched, `deadlineExceeded`, `tooLarge`, or why the exchange failed.
    /// Cancelling the task ends the exchange. Redirects are not followed.
    public func fetch(_ request: FetchRequest) async throws(UpstreamError) -> FetchResponse {
        let url = try FetchURL(request.url)
        var fields = Fields()
        fields.append("Host", url.hostField)
        for header in request.headers {
            let (name, value) = (Array(header.name.utf8), Array(header.value.utf8))
            guard FieldLine.isToken(name.span), value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw UpstreamError(.internal, "A header of the request is not a valid field.")
            }
            fields.append(name: name.span, value: value.span)
        }
        let method = Array(request.method.utf8)
        guard FieldLine.isToken(method.span) else { throw UpstreamError(.internal, "The method is not a token.") }
        var outbound = OutboundRequest(
            scheme: url.scheme, authority: url.authority, method: Method(method.span), methodBytes: method,
            target: url.target, fields: fields, framing: .none)
        if let body = request.body {
            outbound.framing = .length(UInt64(body.count))
            outbound.fields.append("Content-Length", String(body.count))
        }
        outbound.requiresPrivatePeer = request.requiresPrivatePeer && url.scheme == .http
        let exchange = start(outbound)
        exchange.setDeadline(after: request.timeout)
        if let body = request.body {
            exchange.sendBody(body.span)
            exchange.finishBody()
        }
        return try await collect(exchange, maxBytes: request.maxBytes)
    }

    private func collect(_ exchange: Exchange, maxBytes: Int) async throws(UpstreamError) -> FetchResponse {
        nonisolated(unsafe) let shared = exchange  // the handler below touches it on the loop only
        let loop = loop
        do {
            return try await withTaskCancellationHandler {
                try await exchange.responseHead()
                var body: [UInt8] = []
                repeat {
                    let count = exchange.inbound.count
                    guard body.count + count <= maxBytes else {
                        exchange.cancel()
                        throw UpstreamError(.tooLarge, "The answer has more than \(maxBytes) bytes.")
                    }
                    exchange.inbound.withUnsafeBufferPointer { body.append(contentsOf: $0) }
                    exchange.consume(count)
                } while try await exchange.receive()
                return FetchResponse(status: exchange.head.status, fields: exchange.head.fields, body: body)
            } onCancel: {
                loop.execute { shared.cancel() }
            }
        } catch let error as UpstreamError {
            throw error
        } catch {
            throw UpstreamError(.internal, "\(error)")
        }
    }
}

/// The parts of a URL that a request needs (RFC 3986 §3).
struct FetchURL {
    let scheme: Scheme
    let authority: Authority
    /// What `Host` says: the authority as it was written.
    let hostField: String
    let target: [UInt8]

    init(_ text: String) throws(UpstreamError) {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw UpstreamError(.internal, "The URL holds blanks or control characters.")
        }
        let prefix: Int
        if text.lowercased().hasPrefix("http://") {
            (scheme, prefix) = (.http, 7)
        } else if text.lowercased().hasPrefix("https://") {
            (scheme, prefix) = (.https, 8)
        } else {
            throw UpstreamError(.internal, "The URL's scheme is neither http nor https.")
        }
        let rest = bytes[prefix...].prefix { $0 != UInt8(ascii: "#") }
        let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        hostField = String(decoding: host, as: UTF8.self)
        do throws(HTTPError) {
            authority = try Authority(parsing: Array(host).span, defaultPort: scheme == .https ? 443 : 80)
        } catch {
            throw UpstreamError(.internal, "The URL's authority is not a host and a port.")
        }
        let path = rest[host.endIndex...]
        target = path.first == UInt8(ascii: "/") ? Array(path) : [UInt8(ascii: "/")] + path
    }
}
