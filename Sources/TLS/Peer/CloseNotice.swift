internal import COpenSSL

/// Watches for the peer's close_notify (RFC 8446 §6.1) on a session that somebody else made: libcurl takes an end of the
/// connection without it for an end in order.
///
/// Only looks. Confined to the session's thread.
public final class CloseNotice {
    /// Whether it has come: what the peer wanted to say is whole.
    public private(set) var hasCome = false

    private init() {}

    /// The one that watches `session`, an `SSL *`, which keeps it for as long as it lives; nil where there is no memory.
    public static func watching(_ session: UnsafeMutableRawPointer) -> CloseNotice? {
        let pointer = OpaquePointer(session)
        if let object = SSL_get_ex_data(pointer, slot) {
            return Unmanaged<CloseNotice>.fromOpaque(object).takeUnretainedValue()
        }
        let notice = CloseNotice()
        let reference = Unmanaged.passRetained(notice)
        guard slot >= 0, SSL_set_ex_data(pointer, slot, reference.toOpaque()) == 1 else {
            reference.release()
            return nil
        }
        SSL_set_info_callback(pointer, didPass)
        return notice
    }

    /// Where a session keeps its object (SSL_get_ex_new_index(3)).
    fileprivate static let slot = wtp_SSL_get_ex_new_index { _, object, _, _, _, _ in
        if let object { Unmanaged<CloseNotice>.fromOpaque(object).release() }
    }

    fileprivate func note() { hasCome = true }
}

/// SSL_set_info_callback(3): the low byte of an alert's value is its description, and that of close_notify is 0.
private let didPass: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { session, kind, value in
    guard kind == SSL_CB_READ_ALERT, value & 0xff == 0, let session,
        let object = SSL_get_ex_data(session, CloseNotice.slot)
    else { return }
    Unmanaged<CloseNotice>.fromOpaque(object).takeUnretainedValue().note()
}
