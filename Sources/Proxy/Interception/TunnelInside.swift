internal import HTTP

/// What is known of a connection whose tunnel we read: every request in it belongs to the tunnel's authority.
struct TunnelInside {
    let authority: Authority
    /// Whether the client speaks TLS inside.
    let scheme: Scheme
}
