internal import CCurl
internal import EventLoop

/// Time: libcurl's own timeouts, and ours, which are looked at by one slow sweep instead of a timer per request.
extension UpstreamClient {
    /// CURLMOPT_TIMERFUNCTION: libcurl wants to run in `milliseconds`, at once for 0, not at all for -1.
    func timeoutChanged(_ milliseconds: Int) {
        if milliseconds == 0 {
            needsTimeout = true
        } else if milliseconds > 0 {
            armTimer(after: milliseconds)
        }
        // A timer that fires too early does no harm, libcurl then announces the right time again: never disarmed.
    }

    func armTimer(after milliseconds: Int) {
        let deadline = loop.now + .milliseconds(milliseconds)
        if let timerDeadline, timerDeadline <= deadline { return }
        timerDeadline = deadline
        if timer == nil {
            timer = LoopTimer(loop: loop) { [unowned self] in
                timerDeadline = nil
                drive(CURL_SOCKET_TIMEOUT, 0)
            }
        }
        timer?.start(after: .milliseconds(milliseconds))
    }

    // MARK: The sweep

    private var sweepInterval: Duration {
        min(max(shortestLimit / 16, .milliseconds(10)), .milliseconds(500))
    }

    /// Makes sure that a limit shorter than the usual interval is noticed in time.
    func sweep(within limit: Duration) {
        shortestLimit = min(shortestLimit, limit)
        sweeper?.start(after: min(sweepInterval, limit))
    }

    func startSweeping() {
        guard !isSweeping else { return }
        isSweeping = true
        if sweeper == nil { sweeper = LoopTimer(loop: loop) { [unowned self] in sweep() } }
        sweeper?.start(after: sweepInterval)
    }

    private func sweep() {
        isSweeping = false
        let now = loop.now
        var late: [(Exchange, UpstreamError.Code)] = []
        for handle in activeHandles {
            if let exchange = handle.exchange, let code = exchange.missedDeadline(now) { late.append((exchange, code)) }
        }
        for (exchange, code) in late {
            exchange.end(UpstreamError(code, code == .responseTimeout ? "No response in time." : "Out of time."))
        }
        if activeHandles.isEmpty, openSockets > 0, now - lastActivity > configuration.idlePool {
            closeUnusedConnections()
        }
        if activeHandles.isEmpty { shortestLimit = configuration.responseHeadTimeout }
        if !activeHandles.isEmpty || openSockets > 0 { startSweeping() }
    }

    /// libcurl looks for old connections only when a transfer is about to connect (`prune_dead_connections` in its
    /// url.c). This transfer does that and then gets no socket, as it has no exchange: no packet goes out.
    private func closeUnusedConnections() {
        guard canCallLibcurl, reaper?.isAdded != true else { return }
        do throws(UpstreamError) {
            if reaper == nil {
                let handle = try EasyHandle(client: self)
                try handle.set(CURLOPT_URL, "http://127.0.0.1:9/")
                try handle.set(CURLOPT_FRESH_CONNECT, 1)
                reaper = handle
            }
        } catch { return }
        guard let reaper, curl_multi_add_handle(multi, reaper.raw) == CURLM_OK else { return }
        reaper.isAdded = true
        kick()
    }
}

/// CURLMOPT_TIMERFUNCTION.
let timerCallback: curl_multi_timer_callback = { _, milliseconds, context in
    Unmanaged<UpstreamClient>.fromOpaque(context!).takeUnretainedValue().timeoutChanged(milliseconds)
    return 0
}
