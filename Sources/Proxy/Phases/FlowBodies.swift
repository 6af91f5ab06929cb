internal import HTTP
internal import Telemetry
internal import WAFTokens

/// The beginnings of bodies that operators may see, where the settings want them (`flows.bodyBytes`).
extension RequestContext {
    /// Keeps what goes to the client, up to the limit.
    func keepAnswer(_ bytes: Span<UInt8>) {
        let limit = worker.shared.flows.bodyBytes
        guard limit > 0 else { return }
        FlowSample.append(bytes, to: &flow.responseBody, limit: limit)
    }

    /// Puts the bodies into the flow; one in which a secret of the request stands is not shown.
    func keepBodies(token: WAFToken?) {
        guard worker.shared.flows.bodyBytes > 0 else { return }
        flow.requestBody = pump?.sample
        guard flow.requestBody != nil || flow.responseBody != nil else { return }
        let secrets = head.fields.secrets + (token.map { [$0.bytes.withUnsafeBufferPointer { Array($0) }] } ?? [])
        for secret in secrets {
            if let body = flow.requestBody, FlowSample.mayContain(secret, in: body) { flow.requestBody = nil }
            if let body = flow.responseBody, FlowSample.mayContain(secret, in: body) { flow.responseBody = nil }
        }
    }
}

/// The beginning of a body. Pure.
enum FlowSample {
    static func append(_ bytes: Span<UInt8>, to body: inout [UInt8]?, limit: Int) {
        let room = limit - (body?.count ?? 0)
        guard room > 0, bytes.count > 0 else { return }
        bytes.extracting(first: min(room, bytes.count)).withUnsafeBufferPointer { bytes in
            if body == nil { body = Array(bytes) } else { body?.append(contentsOf: bytes) }
        }
    }

    /// Whether `secret` stands in `body`, or begins at its end, where the sample was cut.
    static func mayContain(_ secret: [UInt8], in body: [UInt8]) -> Bool {
        guard secret.count >= shortest, body.count >= shortest else { return false }
        for start in 0...(body.count - shortest) where body[start] == secret[0] {
            if body[start...].prefix(secret.count).elementsEqual(secret.prefix(body.count - start)) { return true }
        }
        return false
    }

    /// What is shorter is no secret that could be kept.
    private static let shortest = 6
}

extension Fields {
    /// Values of the fields that carry secrets: credentials without their scheme, and each cookie by itself.
    fileprivate var secrets: [[UInt8]] {
        (0..<count).flatMap { index -> [[UInt8]] in
            let value = value(index).withUnsafeBufferPointer { Array($0) }
            switch known(index) {
            case .authorization, .proxyAuthorization:
                return value.split(separator: 0x20, maxSplits: 1).dropFirst().map { Array($0) }
            case .xAwsWafToken: return [value]
            case .cookie:
                return value.split(separator: UInt8(ascii: ";")).map { pair in
                    Array(pair.split(separator: UInt8(ascii: "="), maxSplits: 1).last ?? [])
                }
            default: return []
            }
        }
    }
}
