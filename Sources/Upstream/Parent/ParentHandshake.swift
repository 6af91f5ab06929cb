/// What a client and its parent say to each other before the parent only passes bytes on. No I/O: the shell sends what
/// `begin` gives, hands every byte that comes to `take`, and does what that says.
protocol ParentHandshake {
    /// The first bytes that go out.
    func begin() -> [UInt8]
    /// `input` is everything that came and was not taken yet.
    mutating func take(_ input: Span<UInt8>) throws(UpstreamError) -> HandshakeStep
}

/// What comes next; `taken` bytes of the input are done with.
enum HandshakeStep {
    case needsInput
    case send([UInt8], taken: Int)
    /// The way is open; what follows the taken bytes is the origin's.
    case done(taken: Int)
}
