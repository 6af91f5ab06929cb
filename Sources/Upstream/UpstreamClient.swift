internal import CCurl
public import EventLoop
public import HTTP

/// Sends requests to origins over libcurl's multi socket interface (libcurl-multi(3)): one client per loop, with its own
/// pool of connections, look-up cache and TLS sessions. Confined to the loop's thread.
///
/// libcurl runs only in `drive` and in the few calls that `settle` makes; nothing of libcurl is called inside its own
/// callbacks. What exchanges want is noted (`needsAttention`) and done right after libcurl has returned, and whoever
/// waits is resumed there, once per turn.
public final class UpstreamClient {
    /// The loop that everything runs on.
    public let loop: EventLoop
    public let configuration: UpstreamConfiguration

    let multi: UnsafeMutableRawPointer
    let share: UnsafeMutableRawPointer
    let trust: TrustStore
    /// The watched sockets of all connections, by descriptor.
    var sockets: [SocketInterest?] = []
    var openSockets = 0
    /// How many active requests have a body or ask for an upgrade: only theirs need a look at every change of interest.
    var uploads = 0
    var timer: LoopTimer?
    var timerDeadline: Duration?
    var sweeper: LoopTimer?
    var isSweeping = false
    var shortestLimit: Duration
    var reaper: EasyHandle?
    var lastActivity: Duration = .zero
    /// Handles without an exchange, the last used last.
    private var idleHandles: [EasyHandle] = []
    /// Handles with an exchange, in no order.
    private(set) var activeHandles: [EasyHandle] = []
    /// Exchanges that want something done once libcurl has returned.
    private var waiting: [Exchange] = []
    /// Heads of exchanges that are gone: their buffers serve the next ones.
    private var spareHeads: [ResponseHead] = []
    private var isDriving = false
    /// libcurl is on the stack: nothing of it may be called.
    private var isInsideCurl = false
    /// libcurl asked for a timeout of zero.
    var needsTimeout = false
    private(set) var isShutDown = false

    private static let globalInit: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    private static let idleHandleLimit = 256

    /// Makes a client; nothing is read or connected before the first request.
    ///
    /// Throws `internal` when libcurl cannot start or `caFile` cannot be read.
    public init(loop: EventLoop, configuration: UpstreamConfiguration) throws(UpstreamError) {
        self.loop = loop
        self.configuration = configuration
        shortestLimit = configuration.responseHeadTimeout
        trust = try TrustStore(extraFile: configuration.verify ? configuration.caFile : nil)
        guard Self.globalInit == CURLE_OK, let multi = curl_multi_init() else {
            throw UpstreamError(.internal, "libcurl cannot be initialised.")
        }
        guard let share = curl_share_init() else {
            curl_multi_cleanup(multi)
            throw UpstreamError(.internal, "libcurl cannot be initialised.")
        }
        self.multi = multi
        self.share = share
        // Only this loop's thread uses it, so it needs no lock functions.
        _ = ccurl_share_set_data(share, CURL_LOCK_DATA_SSL_SESSION)
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maxConnections)
        _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_multi_on_socket(multi, socketCallback, me)
        _ = ccurl_multi_on_timer(multi, timerCallback, me)
    }

    deinit {
        if isShutDown { return }
        precondition(timer == nil && sweeper == nil, "an upstream client that was used went away without shutdown()")
        freeLibcurl()
    }

    /// Starts one attempt to send `request`. Must be called on the loop.
    ///
    /// `onInterim` gets every 1xx head but a 101, after libcurl has returned. Letting go of the exchange cancels it.
    public func start(_ request: borrowing OutboundRequest, onInterim: ((ResponseHead) -> Void)? = nil) -> Exchange {
        let exchange = Exchange(client: self, request: request, onInterim: onInterim)
        do throws(UpstreamError) {
            if isShutDown { throw UpstreamError(.cancelled, "The proxy is shutting down.") }
            let handle = try takeHandle()
            do throws(UpstreamError) {
                let way = handle.way(to: request)
                try way.judge(request, configuration)
                exchange.way = way
                try handle.prepare(request, way)
            } catch {
                idleHandles.append(handle)
                throw error
            }
            handle.exchange = exchange
            exchange.attach(handle)
            activate(handle)
            lastActivity = loop.now
            startSweeping()
            add(handle)
        } catch {
            exchange.fail(error)
            return exchange
        }
        kick()
        return exchange
    }

    private func takeHandle() throws(UpstreamError) -> EasyHandle {
        if let handle = idleHandles.popLast() { return handle }
        return try EasyHandle(client: self)
    }

    private func activate(_ handle: EasyHandle) {
        handle.activeIndex = activeHandles.count
        activeHandles.append(handle)
        if handle.isUpload { uploads += 1 }
    }

    private func add(_ handle: EasyHandle) {
        precondition(!isInsideCurl, "a request cannot be started inside a callback of libcurl")
        let code = curl_multi_add_handle(multi, handle.raw)
        precondition(code == CURLM_OK, "curl_multi_add_handle: \(code.rawValue)")
        handle.isAdded = true
    }

    /// Ends every exchange and closes every connection; idempotent. Requests that come later fail with `cancelled`.
    public func shutdown() {
        guard !isShutDown else { return }
        isShutDown = true
        while let handle = activeHandles.last {
            handle.exchange?.cancel()
            release(handle)
        }
        for exchange in waiting { exchange.resumeWaiters() }
        waiting = []
        freeLibcurl()
        timer?.close()
        timer = nil
        sweeper?.close()
        sweeper = nil
    }

    private func freeLibcurl() {
        isShutDown = true
        isInsideCurl = true  // closing connections calls back
        idleHandles = []
        reaper = nil
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
    }

    // MARK: Running libcurl

    /// Lets libcurl do what it has just been given, at once; part of the running turn when called inside one.
    func kick() {
        if isDriving { return }
        drive(CURL_SOCKET_TIMEOUT, 0)
    }

    /// Tells libcurl about a ready socket, or that time has passed, then does what has come up.
    func drive(_ descriptor: curl_socket_t, _ events: Int32) {
        guard !isShutDown else { return }
        precondition(!isDriving, "libcurl is driven from inside its own callbacks")
        isDriving = true
        needsTimeout = false
        runLibcurl(descriptor, events)
        settle()
        isDriving = false
    }

    private func runLibcurl(_ descriptor: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        insideCurl { _ = curl_multi_socket_action(multi, descriptor, events, &running) }
        takeMessages()
    }

    func insideCurl(_ body: () -> Void) {
        let before = isInsideCurl
        isInsideCurl = true
        body()
        isInsideCurl = before
    }

    private func takeMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            guard let handle = EasyHandle.owning(message.pointee.easy_handle) else { continue }
            let result = ccurl_message_result(message)
            handle.exchange?.didFinish(result)
            release(handle)
        }
    }

    /// Does what exchanges asked for, and what comes of that, until nothing is left.
    private func settle() {
        var rounds = 0
        while !isShutDown {
            while let exchange = waiting.popLast() { exchange.settle() }
            guard needsTimeout else { return }
            needsTimeout = false
            rounds += 1
            if rounds > 16 {
                armTimer(after: 0)
                return
            }
            runLibcurl(CURL_SOCKET_TIMEOUT, 0)
        }
    }

    /// Notes that `exchange` wants its `settle` called.
    func needsAttention(_ exchange: Exchange) {
        guard !exchange.isNoted else { return }
        exchange.isNoted = true
        waiting.append(exchange)
    }

    /// Whether libcurl may be called now.
    var canCallLibcurl: Bool { !isInsideCurl }

    // MARK: Reuse

    func spareHead() -> ResponseHead { spareHeads.popLast() ?? ResponseHead() }

    /// Keeps the buffers of a head whose exchange goes away, on whatever thread that happens.
    func keep(_ head: inout ResponseHead) {
        guard loop.isCurrent, !isShutDown, spareHeads.count < 64 else { return }
        head.fields.removeAll()
        spareHeads.append(head)
    }

    /// Takes the handle out of libcurl and keeps it for another request where that is safe.
    func release(_ handle: EasyHandle) {
        remove(handle)
        if handle.exchange?.isPlainlyComplete != true { handle.isSpent = true }
        handle.exchange?.detach()
        handle.exchange = nil
        guard let index = handle.activeIndex else { return }
        handle.activeIndex = nil
        handle.forgetCandidates()
        if handle.isUpload { uploads -= 1 }
        let last = activeHandles.removeLast()
        if last !== handle {
            activeHandles[index] = last
            last.activeIndex = index
        }
        if !handle.isSpent, idleHandles.count < Self.idleHandleLimit { idleHandles.append(handle) }
    }

    /// The exchange of `handle` went away before its end: ends the transfer, as soon as that may be done.
    func abandon(_ handle: EasyHandle) {
        if canCallLibcurl {
            release(handle)
            if needsTimeout { kick() }
            return
        }
        nonisolated(unsafe) let (client, handle) = (self, handle)  // the closure runs on this very thread
        loop.execute {
            if !client.isShutDown, handle.activeIndex != nil { client.abandon(handle) }
        }
    }

    func remove(_ handle: EasyHandle) {
        guard handle.isAdded else { return }
        handle.isAdded = false
        insideCurl { _ = curl_multi_remove_handle(multi, handle.raw) }
    }
}
