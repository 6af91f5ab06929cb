internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream

/// Phase *stream*: the answer's head and body go to the client as they come; we set the framing ourselves.
extension RequestContext {
    /// How the client learns where the body ends.
    enum AnswerFraming: Equatable {
        case none
        case length(UInt64)
        case chunked
        /// By the end of the connection: for HTTP/1.0 clients.
        case untilClose
    }

    func streamAnswer() async -> ClientConnection.Fate {
        guard let exchange else { preconditionFailure("no attempt was made") }
        record.status = exchange.head.status
        if exchange.head.status == 101 { return await passOnUpgrade(exchange) }
        let framing = answerFraming(of: exchange.head)
        let keeps = keepsConnection(after: framing)
        await adoptToken(from: exchange)
        writeHead(exchange, framing, keeps: keeps)
        guard await streamBody(of: exchange, framing) else {
            record.error = record.error ?? "http_response_incomplete"
            return .abort
        }
        if let pump, !pump.isWhole {
            await finishUpload(to: exchange)
            return .close
        }
        return keeps ? .keep : .close
    }

    /// The answer is over; an origin that did not refuse the body gets the rest of it for as long as it keeps coming.
    private func finishUpload(to exchange: Exchange) async {
        guard exchange.head.status < 400 else { return }
        exchange.limitSilence(to: Self.uploadSilence)
        do throws(UpstreamError) { try await exchange.finished() } catch { return }
    }

    private static let uploadSilence = Duration.seconds(2)

    private func answerFraming(of answer: borrowing ResponseHead) -> AnswerFraming {
        switch answer.framing {
        case .none: .none
        case .length(let length): .length(length)
        case .chunked, .untilClose: head.version == .http11 ? .chunked : .untilClose
        }
    }

    /// An unfinished request body keeps us from reading the next request.
    private func keepsConnection(after framing: AnswerFraming) -> Bool {
        head.keepAlive && framing != .untilClose && !worker.isDraining && pump?.isWhole ?? true
    }

    /// Puts the head into `worker.outgoing`.
    private func writeHead(_ exchange: Exchange, _ framing: AnswerFraming, keeps: Bool) {
        HopByHop.strip(&exchange.head.fields, keepingUpgrade: false)
        switch framing {
        case .chunked: exchange.head.fields.append("Transfer-Encoding", "chunked")
        case .none, .length, .untilClose: break
        }
        addOurFields(to: &exchange.head.fields, answeredIn: exchange.head.version)
        if let connection = connectionOption(keeps: keeps) { exchange.head.fields.append("Connection", connection) }
        worker.outgoing.removeAll(keepingCapacity: true)
        HeadWriter.write(response: exchange.head, into: &worker.outgoing)
        hasAnswered = true
    }

    /// What `Connection` must say: nothing where the version's default is what happens (RFC 9112 §9.3).
    private func connectionOption(keeps: Bool) -> String? {
        switch (head.version, keeps) {
        case (.http11, true), (.http10, false): nil
        case (.http11, false): "close"
        case (.http10, true): "keep-alive"
        }
    }

    /// Sends what is in `worker.outgoing` and then the body. False: it broke off, or the client is gone.
    private func streamBody(of exchange: Exchange, _ framing: AnswerFraming) async -> Bool {
        let stream = connection.stream
        if framing == .none {
            stream.send(worker.outgoing)
            return !stream.isBroken
        }
        if exchange.isComplete, framing != .untilClose, exchange.inbound.count <= Self.smallBody {
            return sendSmallAnswer(exchange, framing)
        }
        stream.send(worker.outgoing)
        var left: UInt64? = if case .length(let length) = framing { length } else { nil }
        do throws(UpstreamError) {
            repeat {
                let count = sendBlock(of: exchange, framing)
                record.bytesOut += UInt64(count)
                left = left.map { $0 - min(UInt64(count), $0) }
                // A body with a length is whole by its count, even while the request body still goes up.
                if left == 0 { break }
                if stream.isCongested || stream.isBroken {
                    do throws(StreamError) {
                        try await stream.drained(stallLimit: configuration.idleClientTimeout)
                    } catch {
                        exchange.cancel()
                        return false
                    }
                }
            } while try await exchange.receive()
        } catch {
            record.error = AnswerTable.answer(for: .upstream(error)).error?.description
            return false
        }
        if let left, left > 0 { return false }
        if framing == .chunked { sendLastChunk(exchange) }
        return !stream.isBroken
    }

    /// Bodies up to this size leave in one system call with their head.
    private static let smallBody = 16 * 1024

    private func sendSmallAnswer(_ exchange: Exchange, _ framing: AnswerFraming) -> Bool {
        let count = exchange.inbound.count
        if framing == .chunked {
            if count > 0 {
                ChunkedEncoder.begin(chunkOf: count, into: &worker.outgoing)
                worker.outgoing.append(exchange.inbound)
                ChunkedEncoder.endChunk(into: &worker.outgoing)
            }
            ChunkedEncoder.end(trailers: exchange.trailers, into: &worker.outgoing)
        } else {
            worker.outgoing.append(exchange.inbound)
        }
        keepAnswer(exchange.inbound)
        exchange.consume(count)
        record.bytesOut += UInt64(count)
        connection.stream.send(worker.outgoing)
        return !connection.stream.isBroken
    }

    private func sendBlock(of exchange: Exchange, _ framing: AnswerFraming) -> Int {
        let bytes = exchange.inbound
        let count = bytes.count
        guard count > 0 else { return 0 }
        keepAnswer(bytes)
        if framing == .chunked {
            worker.outgoing.removeAll(keepingCapacity: true)
            ChunkedEncoder.begin(chunkOf: count, into: &worker.outgoing)
            connection.stream.send(worker.outgoing, bytes, Self.chunkEnd)
        } else {
            connection.stream.send(bytes)
        }
        exchange.consume(count)
        return count
    }

    private static let chunkEnd: [UInt8] = [13, 10]

    private func sendLastChunk(_ exchange: Exchange) {
        worker.outgoing.removeAll(keepingCapacity: true)
        ChunkedEncoder.end(trailers: exchange.trailers, into: &worker.outgoing)
        connection.stream.send(worker.outgoing)
    }
}
