/// What stands between the bytes on a stream's wire and the bytes that its owner sees: TLS.
///
/// Does no I/O itself: the stream hands over what came, and sends what `withOutput` lends. Confined to the stream's loop.
public protocol StreamFilter: AnyObject {
    /// Takes bytes from the wire and adds what they say to `plain`.
    func decode(_ wire: Span<UInt8>, into plain: inout ByteQueue) -> StreamFilterState
    /// Takes bytes of the stream's owner.
    func encode(_ plain: Span<UInt8>)
    /// The owner has nothing more to say: makes the protocol's own end, once.
    func finish()
    /// Lends the bytes that are to go out on the wire, and forgets them. Nothing is lent where there are none.
    func withOutput(_ body: (Span<UInt8>) -> Void)
}

/// How far the peer's side of a filter is.
public enum StreamFilterState: Sendable, Hashable {
    case open
    /// The peer ended its side in the protocol's own way.
    case ended
    /// What came cannot be right: the connection is lost.
    case broken
}

extension Stream {
    /// Puts a filter between the wire and the owner, for good. Everything received so far must have been consumed.
    ///
    /// The end of the wire counts as an end in order also where the filter's protocol was not ended: whoever reads
    /// framed messages knows by the framing what is whole.
    public func attach(_ filter: any StreamFilter) {
        precondition(self.filter == nil && received.isEmpty, "a filter comes before the bytes it is for")
        self.filter = filter
        decode(Span())
    }

    func decode(_ wire: Span<UInt8>) {
        guard let filter else { preconditionFailure("nothing to decode with") }
        let before = received.count
        let state = filter.decode(wire, into: &received)
        sendOutput(of: filter)
        let more = received.count - before
        if more > 0 { didReceive(more) }
        switch state {
        case .open: break
        case .ended: didEndInOrder()
        case .broken: fail(SystemError(protocolErrorIn: "read"))
        }
    }

    /// Says the protocol's own end, if that was not done.
    func finishFilter() {
        guard let filter, !isBroken, !didFinishSending else { return }
        filter.finish()
        sendOutput(of: filter)
    }

    func sendOutput(of filter: any StreamFilter) {
        filter.withOutput { bytes in
            bytes.withUnsafeBufferPointer { sendToWire($0) }
        }
    }
}
