internal import EventLoop

/// A client that says one thing and reads one answer, so that a person can be shown both.
enum DemoClient {
    /// An answer as its lines; empty where there was none.
    struct Answer: Sendable {
        var statusLine = ""
        var fields: [String] = []
        var body = ""

        /// The number in the status line.
        var status: Int? { statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

        /// The value of the first field of this name, given in lower case.
        func field(_ name: String) -> String? {
            for line in fields {
                guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { continue }
                return String(line[line.index(after: colon)...].drop { $0 == " " })
            }
            return nil
        }
    }

    /// Sends a request whose connection ends after it.
    static func send(
        _ method: String, _ target: String, host: String, json: String? = nil, to address: SocketAddress,
        on loop: EventLoop
    ) async -> Answer {
        var request = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nAccept: */*\r\nConnection: close\r\n"
        if let json { request += "Content-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n" }
        let bytes = Array((request + "\r\n" + (json ?? "")).utf8)
        return await loop.run {
            do throws(StreamError) {
                let stream = try await Stream.connect(to: address, on: loop, timeout: .seconds(5))
                defer { stream.close() }
                stream.send(bytes)
                var received: [UInt8] = []
                repeat {
                    let part = stream.inbound
                    part.withUnsafeBufferPointer { received.append(contentsOf: $0) }
                    stream.consume(part.count)
                } while try await stream.receive(within: .seconds(15))
                return parse(String(decoding: received, as: UTF8.self))
            } catch {
                return Answer()
            }
        }
    }

    private static func parse(_ text: String) -> Answer {
        var answer = Answer()
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)[...]
        answer.statusLine = lines.popFirst() ?? ""
        while let line = lines.popFirst(), !line.isEmpty { answer.fields.append(line) }
        answer.body = lines.joined(separator: "\r\n")
        return answer
    }
}
