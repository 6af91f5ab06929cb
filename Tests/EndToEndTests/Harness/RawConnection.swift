import Foundation

/// A TCP connection on which a test says exactly what it wants and sees exactly how it ends. Calls block, so they are
/// made inside `onThread`; one thread at a time.
final class RawConnection: @unchecked Sendable {
    enum Ending: Sendable, Equatable { case end, reset, silence }

    private let descriptor: Int32

    init(to address: Address, timeoutSec: Int = 10) throws {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &list) == 0, let first = list?.pointee else {
            throw LaunchFailed(description: "\(address) is no address")
        }
        defer { freeaddrinfo(list) }
        descriptor = socket(first.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: timeoutSec * Places.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        guard connect(descriptor, first.ai_addr, first.ai_addrlen) == 0 else {
            // Every property has its value: deinit runs, and closes.
            throw LaunchFailed(description: "connecting to \(address): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Data(text.utf8)) }

    func send(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw LaunchFailed(description: "send: \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends until the peer has taken nothing for the time limit, at most `limit` bytes; how many it took.
    func sendUntilStalled(_ data: Data, limit: Int) -> Int {
        var sent = 0
        while sent < limit {
            let count = data.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress! + sent % data.count, $0.count - sent % data.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    /// From now on the end of this object resets the connection.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Receives until `enough` holds for all bytes so far; `ending` is nil if the connection still stands.
    func receive(until enough: (Data) -> Bool = { _ in false }) -> (data: Data, ending: Ending?) {
        var all = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while !enough(all) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                all.append(contentsOf: buffer[0..<count])
            } else if count == 0 {
                return (all, .end)
            } else if errno == EAGAIN {
                return (all, .silence)
            } else if errno != EINTR {
                return (all, .reset)
            }
        }
        return (all, nil)
    }

    /// Receives one response head and as much body as its Content-Length or chunked framing says.
    func receiveResponse(bodyless: Bool = false) throws -> RawResponse {
        let (data, ending) = receive { RawResponse.isComplete($0, bodyless: bodyless) }
        return try RawResponse(data, ending: ending)
    }
}
