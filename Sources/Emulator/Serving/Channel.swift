internal import EventLoop
internal import TLS

/// Why a connection cannot go on.
enum ChannelFailure: Error, Equatable {
    /// The wait took longer than allowed; the connection is still good.
    case timedOut
    /// Closed, reset, or TLS failed.
    case broken
}

/// Plaintext in, plaintext out, over TCP or over TLS on TCP: what all of the emulator is written on.
///
/// Owns the stream and the session. Confined to its loop.
final class Channel {
    let stream: Stream
    private let session: TLSSession?
    /// Decrypted and not yet consumed; unused without TLS.
    private var decrypted = ByteQueue()
    /// Whether the session may hold records that are not decrypted yet.
    private var hasRecords = false
    private var peerEnded = false

    /// Decryption stops at so many bytes that wait.
    private static let decryptedLimit = 256 * 1024

    /// Takes over a stream; `context` makes it the server's end of TLS.
    init(stream: Stream, context: TLSContext?) throws(TLSError) {
        self.stream = stream
        if let context { session = try TLSSession(context: context) } else { session = nil }
    }

    var isTLS: Bool { session != nil }

    /// Completes the TLS handshake; nothing to do without TLS.
    func handshake(within limit: Duration) async throws(ChannelFailure) {
        guard let session else { return }
        while true {
            _ = feed(session)
            let step: TLSSession.HandshakeStep
            do throws(TLSError) {
                step = try session.handshake()
            } catch {
                sendCiphertext()  // the alert
                throw .broken
            }
            sendCiphertext()
            if step == .done { break }
            guard try await receiveBytes(within: limit) else { throw .broken }
        }
        hasRecords = true
    }

    // MARK: Receiving

    /// Received and not yet consumed. Look at it anew after every `await`.
    var inbound: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            if session != nil { return _overrideLifetime(decrypted.span, borrowing: self) }
            let stream = stream
            return _overrideLifetime(stream.inbound, borrowing: self)
        }
    }

    /// Takes bytes off the front of `inbound`.
    func consume(_ count: Int) {
        if session == nil { stream.consume(count) } else { decrypted.consume(count) }
    }

    /// Takes everything off.
    func consumeAll() {
        let bytes = inbound
        let count = bytes.count
        consume(count)
    }

    /// Waits for at least one byte more: true. False: the peer ended its side.
    func receive(within limit: Duration? = nil) async throws(ChannelFailure) -> Bool {
        guard session != nil else { return try await receiveBytes(within: limit) }
        while true {
            let before = decrypted.count
            try decrypt()
            if decrypted.count > before { return true }
            if peerEnded { return false }
            // Without close_notify the end is not to be trusted; for a server that reads framed requests it is an end.
            guard try await receiveBytes(within: limit) else {
                peerEnded = true
                return false
            }
        }
    }

    private func receiveBytes(within limit: Duration?) async throws(ChannelFailure) -> Bool {
        do throws(StreamError) {
            return try await stream.receive(within: limit)
        } catch {
            throw error == .timedOut ? .timedOut : .broken
        }
    }

    /// Hands over all ciphertext that has come; false where there is none.
    private func feed(_ session: TLSSession) -> Bool {
        let stream = stream
        let ciphertext = stream.inbound
        let count = ciphertext.count
        session.feed(ciphertext)
        stream.consume(count)
        return count > 0
    }

    private func decrypt() throws(ChannelFailure) {
        guard let session else { return }
        defer { sendCiphertext() }
        do throws(TLSError) {
            while decrypted.count < Self.decryptedLimit, !peerEnded {
                if !hasRecords {
                    guard feed(session) else { return }
                    hasRecords = true
                }
                switch try session.read({ decrypted.append($0) }) {
                case .bytes: break
                case .needsInput: hasRecords = false
                case .closed: peerEnded = true
                }
            }
        } catch {
            throw .broken
        }
    }

    // MARK: Sending

    /// Sends bytes in order; dropped on a broken connection, which `receive` and `drained` report.
    func send(_ bytes: Span<UInt8>) {
        guard let session else { return stream.send(bytes) }
        do throws(TLSError) {
            try session.write(bytes)
            sendCiphertext()
        } catch {
            stream.reset()
        }
    }

    private func sendCiphertext() { session?.withOutput { stream.send($0) } }

    /// Waits until more may be sent.
    func drained() async throws(ChannelFailure) {
        do throws(StreamError) { try await stream.drained() } catch { throw .broken }
    }

    // MARK: The end

    /// Ends our side in order, reads on for a while so that no reset overtakes what we sent (RFC 9112 §9.6), closes.
    func lingeringClose(within limit: Duration) async {
        let stream = stream
        defer { stream.close() }
        session?.close()
        sendCiphertext()
        do throws(StreamError) {
            try await stream.finishSending()
            let end = stream.loop.now + limit
            while stream.loop.now < end {
                let count = stream.inbound.count
                stream.consume(count)
                guard try await stream.receive(within: end - stream.loop.now) else { return }
            }
        } catch {
            return
        }
    }

    /// Ends the connection with a reset.
    func reset() { stream.reset() }
}
