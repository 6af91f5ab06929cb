public import EventLoop
public import TLS

/// TLS on a stream, from the end of the handshake on. Owns the session. Confined to the stream's loop.
public final class TLSFilter: StreamFilter {
    private let session: TLSSession

    /// `session` is open; all that came of ciphertext was fed to it.
    public init(_ session: TLSSession) { self.session = session }

    public func decode(_ wire: Span<UInt8>, into plain: inout ByteQueue) -> StreamFilterState {
        session.feed(wire)
        do throws(TLSError) {
            while true {
                switch try session.read({ plain.append($0) }) {
                case .bytes: continue
                case .needsInput: return .open
                case .closed: return .ended
                }
            }
        } catch {
            return .broken
        }
    }

    public func encode(_ plain: Span<UInt8>) {
        // Fails only after a fault that `decode` has told of, and that has broken the stream.
        do throws(TLSError) { try session.write(plain) } catch {}
    }

    public func finish() { session.close() }

    public func withOutput(_ body: (Span<UInt8>) -> Void) { session.withOutput(body) }
}

extension TLSSession {
    /// One step of the handshake over `stream`, before the filter is attached: takes what came, sends what is to be said,
    /// an alert included.
    public func handshake(over stream: Stream) throws(TLSError) -> HandshakeStep {
        feed(stream.inbound)
        stream.consume(stream.inbound.count)
        defer { withOutput { stream.send($0) } }
        return try handshake()
    }
}
