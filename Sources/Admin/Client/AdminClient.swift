public import EventLoop
internal import HTTP
public import Telemetry
internal import WAFTokens

/// Asks a running proxy's admin listener, for the command line. Any thread.
public struct AdminClient: Sendable {
    /// An answer.
    public struct Answer: Sendable {
        public let status: Int
        public let document: AdminDocument

        public var isGood: Bool { (200..<300).contains(status) }
    }

    /// Why there is no answer.
    public enum Fault: Error, Sendable, Equatable, CustomStringConvertible {
        case unreachable(ListeningAddress, StreamError)
        case timedOut(ListeningAddress)
        /// Something answers there, but it is not the admin listener.
        case foreign(ListeningAddress)
        case unresolved(ResolveError)

        public var description: String {
            switch self {
            case .unreachable(let address, .failed(let cause)): "no proxy answers at \(address): \(cause)"
            case .unreachable(let address, _): "no proxy answers at \(address)"
            case .timedOut(let address): "\(address) does not answer in time"
            case .foreign(let address): "what answers at \(address) is not the admin listener of waf-token-proxy"
            case .unresolved(let error): "no proxy answers at \(error)"
            }
        }
    }

    private let target: Target
    private let token: Redacted<[UInt8]>?
    private let loop: EventLoop

    private static let answerLimit = 64 << 20

    /// Where to ask: an address, or a name that is looked up for each call; or a socket in the file system.
    public enum Target: Sendable {
        case tcp(host: String, port: UInt16)
        case unix(path: String)
    }

    /// `token` is what writes show.
    public init(_ target: Target, token: Redacted<[UInt8]>?, on loop: EventLoop) {
        self.target = target
        self.token = token
        self.loop = loop
    }

    public func get(_ path: String, within limit: Duration = .seconds(10)) async throws(Fault) -> Answer {
        try await send("GET", path, [], limit)
    }

    /// A call without arguments.
    public func post(_ path: String, within limit: Duration = .seconds(10)) async throws(Fault) -> Answer {
        try await send("POST", path, [], limit)
    }

    /// Hands a provider a token. It does not have to be one: the proxy judges it.
    public func load(
        _ value: Redacted<[UInt8]>, expiresInSec: Int?, into provider: String
    ) async throws(Fault) -> Answer {
        var members = [JSONValue.Member(name: Array("token".utf8), value: .string(value.reveal()))]
        if let expiresInSec {
            members.append(JSONValue.Member(name: Array("expiresIn".utf8), value: .integer(expiresInSec)))
        }
        let path = Self.path(of: provider, "token")
        return try await send("POST", path, JSONValue.object(members).bytes, .seconds(10))
    }

    /// `/v1/providers/NAME/ACTION`
    public static func path(of provider: String, _ action: String) -> String {
        "/v1/providers/\(PercentText.encoded(provider))/\(action)"
    }

    private func send(
        _ method: String, _ path: String, _ body: [UInt8], _ limit: Duration
    ) async throws(Fault) -> Answer {
        let address = try await address()
        let host = address.ip.map { "\($0)" } ?? "localhost"
        var text = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
        if let token { text += "Authorization: Bearer \(String(decoding: token.reveal(), as: UTF8.self))\r\n" }
        if !body.isEmpty { text += "Content-Type: application/json\r\n" }
        if method == "POST" { text += "Content-Length: \(body.count)\r\n" }
        let request = Array((text + "\r\n").utf8) + body
        let loop = loop
        let result: Result<[UInt8], StreamError> = await loop.run {
            do throws(StreamError) {
                return .success(try await Self.exchange(request, with: address, on: loop, within: limit))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let bytes):
            guard let answer = Answer(reading: bytes) else { throw .foreign(address) }
            return answer
        case .failure(.timedOut): throw .timedOut(address)
        case .failure(let error): throw .unreachable(address, error)
        }
    }

    /// Where to connect to. The listener wants to be called by an address, so that is what `Host` says.
    private func address() async throws(Fault) -> ListeningAddress {
        let (host, port): (String, UInt16)
        switch target {
        case .unix(let path): return .unix(path: path)
        case .tcp(let name, let number): (host, port) = (name, number)
        }
        if let literal = SocketAddress(ip: host, port: port) { return .ip(literal) }
        let loop = loop
        let result: Result<SocketAddress, ResolveError> = await loop.run {
            do throws(ResolveError) {
                return .success(try await Resolver.resolve(host: host, port: port, on: loop)[0])
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let address): return .ip(address)
        case .failure(let error): throw .unresolved(error)
        }
    }

    /// All that comes until the connection ends.
    private static func exchange(
        _ request: [UInt8], with address: ListeningAddress, on loop: EventLoop, within limit: Duration
    ) async throws(StreamError) -> [UInt8] {
        let end = loop.now + limit
        let stream = try await Stream.connect(to: address, on: loop, timeout: min(limit, .seconds(5)))
        defer { stream.close() }
        stream.send(request)
        var received: [UInt8] = []
        repeat {
            received.append(stream.inbound)
            stream.consume(stream.inbound.count)
            guard received.count <= answerLimit, end > loop.now else { throw .timedOut }
        } while try await stream.receive(within: end - loop.now)
        return received
    }
}

extension AdminClient.Answer {
    /// Reads an answer whose connection has ended; nil for what the admin listener never sends.
    init?(reading bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let words = String(decoding: bytes.prefix { $0 != 0x0d }, as: UTF8.self).split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        let body = Array(bytes[end.upperBound...])
        guard let value = try? JSONReader.read(body, limit: body.count), case .object = value else { return nil }
        self.status = status
        document = AdminDocument(value: value)
    }
}
