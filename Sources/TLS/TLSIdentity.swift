/// What a server shows: a leaf, the certificates between it and the root, and the leaf's key.
public struct TLSIdentity: Sendable {
    /// Leaf first; the root is not sent.
    public let chain: [Certificate]
    /// The leaf's key.
    public let key: PrivateKey

    /// `chain` holds the leaf first, then each one's issuer.
    public init(chain: [Certificate], key: PrivateKey) {
        self.chain = chain
        self.key = key
    }
}
