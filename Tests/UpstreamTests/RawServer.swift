import Glibc
import Telemetry

/// A server that speaks bytes, not HTTP, so that a test can send what no server would and see what really came.
/// Every connection gets a thread of its own; `serve` runs there with blocking reads and writes.
final class RawServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let state = Lock(State())

    private struct State {
        var accepted = 0
        var closed = 0
        var isStopped = false
        var received: [String] = []
    }

    init(ipv6: Bool = false, _ serve: @escaping @Sendable (RawConnection) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        let (listener, port) = Self.listen(ipv6: ipv6)
        self.listener = listener
        self.port = port
        thread { [self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                if state.withLock({ $0.isStopped }) || descriptor < 0 { return }
                let number = state.withLock { state in
                    state.accepted += 1
                    state.received.append("")
                    return state.accepted
                }
                thread { [self] in
                    let connection = RawConnection(descriptor, number: number) { [self] bytes in
                        state.withLock { $0.received[number - 1] += bytes }
                    }
                    serve(connection)
                    connection.close()
                    state.withLock { $0.closed += 1 }
                }
            }
        }
    }

    /// How many connections have come.
    var connections: Int { state.withLock { $0.accepted } }

    /// How many connections this side has closed.
    var closedConnections: Int { state.withLock { $0.closed } }

    /// Every byte that came on connection `number` (from 1), as Latin-1 text.
    func received(_ number: Int = 1) -> String {
        state.withLock { number <= $0.received.count ? $0.received[number - 1] : "" }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
    }

    private static func listen(ipv6: Bool) -> (Int32, UInt16) {
        let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var port: UInt16 = 0
        if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            port = bind(descriptor, &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            port = bind(descriptor, &address)
        }
        precondition(Glibc.listen(descriptor, 64) == 0)
        return (descriptor, port)
    }

    private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) -> UInt16 {
        var length = socklen_t(MemoryLayout<Address>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            precondition(Glibc.bind(descriptor, pointer, length) == 0)
            precondition(getsockname(descriptor, pointer, &length) == 0)
            return UInt16(bytes[2]) << 8 | UInt16(bytes[3])  // the port stands at the same place in both families
        }
    }
}

private func thread(_ body: @escaping @Sendable () -> Void) {
    final class Box {
        let body: @Sendable () -> Void; init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var id = pthread_t()
    pthread_create(
        &id, nil,
        { context in
            Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_detach(id)
}

/// One accepted connection.
final class RawConnection {
    /// The how-manieth connection this is, from 1.
    let number: Int
    private let descriptor: Int32
    private var isClosed = false
    private var isRecording = true
    private var buffer: [UInt8] = []
    private let record: (String) -> Void

    init(_ descriptor: Int32, number: Int, record: @escaping (String) -> Void) {
        self.descriptor = descriptor
        self.number = number
        self.record = record
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }

    private func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        if isRecording { record(latin1(chunk[..<count])) }
        return true
    }

    /// Text up to and with `end`; nil when the connection ends before.
    func readThrough(_ end: String) -> String? {
        let wanted = Array(end.utf8)
        var searched = 0
        while true {
            var index = max(0, searched - wanted.count)
            while index + wanted.count <= buffer.count {
                if buffer[index..<index + wanted.count].elementsEqual(wanted) {
                    let text = latin1(buffer[..<(index + wanted.count)])
                    buffer.removeFirst(index + wanted.count)
                    return text
                }
                index += 1
            }
            searched = buffer.count
            if !fill() { return nil }
        }
    }

    /// Reads and forgets everything up to bytes that end in `end`; gives back how many bytes there were.
    func skipThrough(_ end: String) -> Int {
        isRecording = false
        let wanted = Array(end.utf8)
        var count = 0
        while !buffer.suffix(wanted.count).elementsEqual(wanted) {
            let surplus = max(0, buffer.count - wanted.count)
            buffer.removeFirst(surplus)
            count += surplus
            if !fill() { break }
        }
        count += buffer.count
        buffer = []
        return count
    }

    /// A request head with its empty line.
    @discardableResult
    func readHead() -> String? { readThrough("\r\n\r\n") }

    /// Exactly `count` bytes; nil when the connection ends before.
    func readExactly(_ count: Int) -> [UInt8]? {
        while buffer.count < count { if !fill() { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Everything up to the peer's end.
    @discardableResult
    func readToEnd() -> String {
        while fill() {}
        defer { buffer = [] }
        return latin1(buffer[...])
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + sent, bytes.count - sent) }
            if count <= 0 { return }
            sent += count
        }
    }

    /// Ends our side only.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends the connection with a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(descriptor)
    }
}

func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
}
