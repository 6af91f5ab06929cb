internal import EventLoop
internal import HTTP

/// Answers that come in pieces.
extension Application {
    private static let largest: UInt64 = 1 << 40

    /// N bytes, always the same ones: byte i is entry i mod 65,521 of `BytePattern`.
    func bytes(_ count: UInt64) async throws(ExchangeFailure) {
        guard count <= Self.largest else { return exchange.answer(json: ["error": "too many bytes"], status: 400) }
        exchange.beginAnswer(200, type: "application/octet-stream", length: count)
        if exchange.head.method == .head { return }
        var left = count
        while left > 0 {
            let size = Int(min(left, UInt64(BytePattern.table.count)))
            try await exchange.send(BytePattern.table.span.extracting(first: size))
            left -= UInt64(size)
        }
        exchange.endAnswer()
    }

    /// N lines of JSON, each a chunk of its own.
    func stream(_ count: UInt64) async throws(ExchangeFailure) {
        guard count <= 1_000_000 else { return exchange.answer(json: ["error": "too many lines"], status: 400) }
        exchange.beginAnswer(200, type: "application/json")
        for number in 0..<Int(count) {
            try await exchange.send(Array("{\"id\":\(number)}\n".utf8).span)
        }
        exchange.endAnswer()
    }

    /// Two chunks and two trailer fields.
    func trailers() async throws(ExchangeFailure) {
        exchange.beginAnswer(200, type: "text/plain; charset=utf-8", fields: [("Trailer", "X-Checksum, X-Count")])
        try await exchange.send(Array("first\n".utf8).span)
        try await exchange.send(Array("second\n".utf8).span)
        var trailers = Fields()
        trailers.append("X-Checksum", "42")
        trailers.append("X-Count", "2")
        exchange.endAnswer(trailers: trailers)
    }

    /// `?bytes=10&delayMsec=100`: a known length that comes byte by byte.
    func drip() async throws(ExchangeFailure) {
        let count = target.number("bytes", in: 0...100_000, default: 10)
        let delay = target.number("delayMsec", in: 0...60_000, default: 100)
        exchange.beginAnswer(200, type: "application/octet-stream", length: UInt64(count))
        if exchange.head.method == .head { return }
        for number in 0..<count {
            if number > 0 { await core.pauses.pause(for: .milliseconds(delay)) }
            try await exchange.send(Array("*".utf8).span)
        }
        exchange.endAnswer()
    }

    /// Server-sent events: the first at once, each further one after `POST /v1/sse/next`. `?events=N` ends after N.
    func events() async throws(ExchangeFailure) {
        let count = target.number("events", in: 1...1_000_000, default: 1_000_000)
        let released = core.state.releasedEvents
        let stream = exchange.channel.stream
        stream.onEnd = { [core] in core.eventReleased.fire() }
        stream.onFailure = { [core] in core.eventReleased.fire() }
        exchange.beginAnswer(200, type: "text/event-stream", fields: [("Cache-Control", "no-store")])
        if exchange.head.method == .head { return }
        for number in 1...count {
            while core.state.releasedEvents - released < number - 1 {
                if core.isStopping || stream.isBroken || stream.isAtEnd { throw .connection }
                await core.eventReleased.wait()
            }
            try await exchange.send(Array("id: \(number)\ndata: event \(number)\n\n".utf8).span)
        }
        exchange.endAnswer()
    }
}

/// The content of `/bytes/N`.
enum BytePattern {
    /// 65,521 bytes, a prime, so that no power of two repeats: of a linear congruential generator (Knuth's MMIX
    /// constants, seed 1), the top byte of each state.
    static let table: [UInt8] = {
        var state: UInt64 = 1
        return (0..<65_521).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
    }()
}
