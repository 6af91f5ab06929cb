internal import CCurl
public import EventLoop
public import HTTP
internal import TLS

/// One attempt to send one request and to receive its answer. Confined to its client's loop.
///
/// A task sends the body (`sendBody`, `bodyDrained`, `finishBody`), the same or another one receives (`responseHead`,
/// then `inbound`, `consume`, `receive`); one of each at a time. Letting go of the object cancels the attempt.
/// libcurl's callbacks only move bytes and note what happened; `settle` acts on it after libcurl has returned.
public final class Exchange {
    let client: UpstreamClient
    /// Present while libcurl works on this exchange.
    private(set) var handle: EasyHandle?
    /// Whether the client has this exchange on its list for `settle`.
    var isNoted = false

    /// The final response head, or the 101; whole once `responseHead` has returned. The caller may change it.
    public var head: ResponseHead
    /// Trailers of a chunked response; whole once `receive` has returned false.
    public internal(set) var trailers = Fields()
    /// Where the connection leads; set when the request went out.
    public internal(set) var peerAddress: SocketAddress?
    /// How many times the request has gone out: 2 after libcurl replaced a dead pooled connection.
    public internal(set) var attempts = 0
    /// Whether a connection stood and no rule kept the request from it: the peer may have seen it.
    public internal(set) var hasGoneOut = false

    enum Phase {
        case head, body, complete
        case failed(UpstreamError)
    }
    var phase = Phase.head
    /// What a callback found wrong; libcurl's own result then only says that a callback said no.
    var fault: UpstreamError?
    /// The attempt is to be ended with this as soon as libcurl has returned.
    var pendingEnd: UpstreamError?
    var refusedAddress: (address: SocketAddress, reason: StaticString)?

    /// Set before the request goes out.
    var way: Way?
    let requestMethod: Method
    let authority: Authority
    let isIdempotent: Bool
    let asksForUpgrade: Bool
    let isPlain: Bool
    let requiresPrivatePeer: Bool
    let refusesLoopback: Bool
    /// Absolute limit for the whole exchange, on the loop's clock.
    var deadline: Duration?
    /// How long the body may stay silent, and when it last was not; nil for ever.
    var silenceLimit: Duration?
    var lastMoved = Duration.zero
    /// When libcurl last took a byte of the body, or the first one came that it could take.
    var lastTaken = Duration.zero
    /// When the last request byte was handed to libcurl, until the head has come.
    var waitingSince: Duration?

    // Receiving: Exchange+Receiving.swift
    var received = ByteQueue()
    var receivedBytes = 0
    var seenBytes = 0
    var headBytes = 0
    var isReceivingPaused = false
    /// Receiving pauses when so many bytes wait.
    var pauseLevel: Int
    var inboundHasEnded = false
    /// libcurl takes no more from the connection, as far as it last said.
    var hasStoppedReading = false
    var isUpgraded = false
    /// Whether `head` holds a final head, whatever came after.
    var isHeadWhole = false
    /// Set where the body ends with a connection over TLS.
    var closeNotice: CloseNotice?
    var descriptor: Int32 = -1
    /// Let go once no interim head can come any more: it may hold this exchange.
    var onInterim: ((ResponseHead) -> Void)?
    var interims: [ResponseHead] = []
    var receiver: UnsafeContinuation<Void, Never>?
    var receiverWish = Wish.news
    enum Wish { case head, news, end }

    // Sending: Exchange+Sending.swift
    var outbound = ByteQueue()
    /// Bytes of a body with a length that libcurl has not taken yet; nil for a chunked body and an upgraded connection.
    var remainingLength: UInt64?
    let hasBody: Bool
    /// libcurl knows no HEAD with a body: it is sent as an upload of another name, and ended when the head is there.
    let endsAtHead: Bool
    var hasTakenBody = false
    var isBodyFinished: Bool
    var isSendingPaused = false
    /// Sending is to be resumed once though there is nothing to send: see `nudge`.
    var needsNudge = false
    var requestTrailers: Fields?
    var sender: UnsafeContinuation<Void, Never>?

    init(client: UpstreamClient, request: borrowing OutboundRequest, onInterim: ((ResponseHead) -> Void)?) {
        self.client = client
        self.onInterim = onInterim
        head = client.spareHead()
        pauseLevel = client.configuration.inboundHighWatermark
        requestMethod = request.method
        authority = request.authority
        isIdempotent = request.isIdempotent
        asksForUpgrade = request.upgrade
        isPlain = request.scheme == .http
        requiresPrivatePeer = request.requiresPrivatePeer
        refusesLoopback = request.refusesLoopback
        switch request.framing {
        case .none: hasBody = request.upgrade
        case .chunked: hasBody = true
        case .length(let length):
            hasBody = length > 0 || request.upgrade
            remainingLength = request.upgrade ? nil : length
        }
        isBodyFinished = !hasBody
        endsAtHead = hasBody && request.method == .head
    }

    deinit {
        if let handle {
            // libcurl's callbacks find the exchange through the handle, on the loop.
            precondition(client.loop.isCurrent, "an exchange that is not over went away on another thread")
            handle.exchange = nil
            client.abandon(handle)
        }
        client.keep(&head)
    }

    func attach(_ handle: EasyHandle) { self.handle = handle }

    func detach() { handle = nil }

    /// Whether nothing more will come or go.
    var isOver: Bool {
        switch phase {
        case .head, .body: false
        case .complete, .failed: true
        }
    }

    /// Whether the first attempt brought the whole answer.
    var isPlainlyComplete: Bool { isComplete && attempts <= 1 }

    // MARK: After libcurl

    /// Whether callbacks should tell libcurl to stop.
    var isEnding: Bool { pendingEnd != nil || fault != nil }

    /// Acts on what the callbacks noted. libcurl is not on the stack.
    func settle() {
        isNoted = false
        if let pendingEnd { end(pendingEnd) }
        deliverInterims()
        if let handle, !isOver { endPauses(handle) }
        resumeWaiters()
    }

    /// Lets a direction go on that a callback paused (curl_easy_pause(3)), where there is a reason to.
    private func endPauses(_ handle: EasyHandle) {
        let resumesReceiving = isReceivingPaused && !shouldStayPaused
        let resumesSending = isSendingPaused && (canGiveBody || needsNudge)
        needsNudge = false
        guard resumesReceiving || resumesSending else { return }
        // The callbacks that set these may run inside the call below, so clear them before.
        if resumesReceiving {
            isReceivingPaused = false
            pauseLevel = received.count + client.configuration.inboundHighWatermark
        }
        if resumesSending { isSendingPaused = false }
        let mask = (isReceivingPaused ? CURLPAUSE_RECV : 0) | (isSendingPaused ? CURLPAUSE_SEND : 0)
        var code = CURLE_OK
        client.insideCurl { code = curl_easy_pause(handle.raw, mask) }
        if code != CURLE_OK { end(fault ?? UpstreamError(.internal, "libcurl cannot go on after a pause.")) }
    }

    func resumeWaiters() {
        if let receiver, hasWish {
            self.receiver = nil
            receiver.resume()
        }
        if let sender, canTakeMore {
            self.sender = nil
            sender.resume()
        }
    }

    private var hasWish: Bool {
        switch receiverWish {
        case .head: hasHead
        case .news: hasNews
        case .end: isOver
        }
    }

    /// Notes that something changed and lets libcurl act on it at once.
    func poke() {
        client.needsAttention(self)
        client.kick()
    }
}

extension OutboundRequest {
    /// Whether sending twice does no more than sending once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        switch method {
        case .get, .head, .put, .delete, .options, .trace: true
        default: false
        }
    }
}
