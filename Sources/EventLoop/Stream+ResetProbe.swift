internal import CUV
internal import Glibc

/// A reset that comes while nothing is read from the socket.
extension Stream {
    private static let probeInterval = Duration.seconds(2)

    /// Nothing is reported for a socket that is not read from (poll(2)), a reset neither: looks for one by timer.
    func probeForReset() {
        guard !isProbing, !isReading, !isBroken, ending == nil else { return }
        isProbing = true
        if resetProbe == nil {
            resetProbe = LoopTimer(loop: loop) { [unowned self] in
                isProbing = false
                if hasError { fail(SystemError(errno: ECONNRESET, in: "read")) } else { probeForReset() }
            }
        }
        resetProbe?.start(after: Self.probeInterval)
    }

    private var hasError: Bool {
        var descriptor: uv_os_fd_t = -1
        guard !isClosed, !isReading, uv_fileno(handle, &descriptor) == 0 else { return false }
        var interest = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&interest, 1, 0) > 0 && interest.revents & Int16(POLLERR) != 0
    }
}
