internal import CCurl
internal import HTTP

/// Looking at a response's first field before libcurl does.
///
/// libcurl before 8.1.1 keeps a pointer to the last field of the response before, which it has freed, and writes there
/// when the next response begins with a folded line (curl's issue 11101): any origin could end the process. Only the
/// debug callback sees a line before that happens. It is called for the one line behind each status line, as all that
/// libcurl tells it otherwise would cost more than a new handle for each request.
extension EasyHandle {
    static let forgetsLastField = curl_version_info(CURLVERSION_FIRST).pointee.version_num >= 0x08_01_01

    func installFirstFieldGuard() throws(UpstreamError) {
        if Self.forgetsLastField { return }
        let me = Unmanaged.passUnretained(self).toOpaque()
        try check(ccurl_on_debug(raw, willTakeLine, me), CURLOPT_DEBUGFUNCTION)
    }

    /// A line has come: after a status line the next one is looked at.
    func guardFirstField(after line: UnsafeRawBufferPointer) {
        guard line.count > 4, line[4] == UInt8(ascii: "/"), !Self.forgetsLastField else { return }
        _ = ccurl_set_long(raw, CURLOPT_VERBOSE, 1)
    }

    /// Ends the attempt if `byte` begins a folded line; libcurl keeps what it holds back from a paused receiver unread.
    fileprivate func judgeFirstField(_ byte: UInt8) {
        _ = ccurl_set_long(raw, CURLOPT_VERBOSE, 0)
        guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") else { return }
        _ = curl_easy_pause(raw, CURLPAUSE_RECV)
        exchange?.end(UpstreamError(.malformedResponse, "\(HTTPError.Reason.foldedField)"))
    }
}

/// CURLOPT_DEBUGFUNCTION: of all that it is told, a line of a head.
private let willTakeLine: curl_debug_callback = { _, kind, data, count, context in
    guard kind == CURLINFO_HEADER_IN, let data, count > 0 else { return 0 }
    Unmanaged<EasyHandle>.fromOpaque(context!).takeUnretainedValue().judgeFirstField(UInt8(bitPattern: data[0]))
    return 0
}
