internal import EventLoop
internal import HTTP

/// One client's connection: takes requests off it, one after the other, and has each one answered.
///
/// Confined to its loop.
struct ServedConnection {
    let channel: Channel
    let loop: EventLoop
    /// Answers one request.
    let respond: (ServerExchange) async throws(ExchangeFailure) -> Void

    private static let handshakeLimit = Duration.seconds(10)
    private static let headLimit = Duration.seconds(60)
    private static let idleLimit = Duration.seconds(600)
    private static let lingerLimit = Duration.seconds(5)

    func run() async {
        defer { channel.stream.close() }
        do throws(ChannelFailure) { try await channel.handshake(within: Self.handshakeLimit) } catch { return }
        let exchange = ServerExchange(channel: channel, loop: loop)
        var parser = RequestHeadParser(limits: HeadLimits())
        while true {
            parser.reset()
            exchange.willAnswer = nil
            guard await readHead(&parser, exchange) else { break }
            exchange.begin()
            do throws(ExchangeFailure) {
                try await respond(exchange)
                // What is left of the body belongs to this request, not to the next one.
                if exchange.fate == .keep { try await exchange.readBody { _ in } }
                // A client that asks on without reading answers is not served on.
                try await exchange.drained()
            } catch {
                switch error {
                case .connection: return channel.reset()
                case .malformed(let error): refuse(error, exchange)
                }
            }
            guard exchange.fate == .keep else { break }
        }
        if exchange.fate == .reset { return channel.reset() }
        await channel.lingeringClose(within: Self.lingerLimit)
    }

    /// False: the connection is over.
    private func readHead(_ parser: inout RequestHeadParser, _ exchange: ServerExchange) async -> Bool {
        while true {
            do throws(HTTPError) {
                if !channel.inbound.isEmpty, let count = try parser.parse(channel.inbound, into: &exchange.head) {
                    channel.consume(count)
                    return true
                }
            } catch {
                refuse(error, exchange)
                return false
            }
            do throws(ChannelFailure) {
                let limit = channel.inbound.isEmpty ? Self.idleLimit : Self.headLimit
                guard try await channel.receive(within: limit) else { return false }
            } catch {
                exchange.fate = .reset
                return false
            }
        }
    }

    private func refuse(_ error: HTTPError, _ exchange: ServerExchange) {
        exchange.fate = .close
        exchange.answer(error.status, type: "text/plain; charset=utf-8", body: Array("\(error.reason)\n".utf8))
    }
}
