internal import HTTP
internal import Telemetry

/// CONNECT through an HTTP parent (RFC 9110 §9.3.6), as a client.
struct ConnectHandshake: ParentHandshake {
    private let parent: ParentProxy
    private let request: [UInt8]
    private var parser: ResponseHeadParser
    private var head = ResponseHead()

    /// - Parameter via: values of `Via` that the CONNECT carries, the oldest first.
    init(parent: ParentProxy, target: Authority, via: [[UInt8]], headLimit: Int) {
        self.parent = parent
        var text = Array("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n".utf8)
        for value in via { text += Array("Via: ".utf8) + value + [13, 10] }
        if let credentials = parent.credentials {
            let pair = "\(credentials.user.reveal()):\(credentials.password.reveal())"
            text += Array("Proxy-Authorization: Basic ".utf8) + Base64.encode(pair.utf8) + [13, 10]
        }
        request = text + [13, 10]
        parser = ResponseHeadParser(
            limits: HeadLimits(headBytes: headLimit, headFields: ResponseHeadParser.defaultLimits.headFields))
    }

    func begin() -> [UInt8] { request }

    mutating func take(_ input: Span<UInt8>) throws(UpstreamError) -> HandshakeStep {
        var taken = 0
        while true {
            let length: Int?
            do throws(HTTPError) {
                length = try parser.parse(input.extracting(taken...), requestMethod: .connect, into: &head)
            } catch {
                throw UpstreamError(.parentRefused, "The parent proxy \(parent) answers CONNECT with no HTTP.")
            }
            // The parser remembers how far it has looked; interim heads go with the final one.
            guard let length else { return taken == 0 ? .needsInput : .send([], taken: taken) }
            taken += length
            if (200..<300).contains(head.status) { return .done(taken: taken) }
            guard (100..<200).contains(head.status), head.status != 101 else {
                throw UpstreamError.refused(by: parent, status: head.status)
            }
        }
    }
}
