import Foundation

/// A response as it came over the wire. Not a model of HTTP: just enough to see what the proxy sent.
struct RawResponse: Sendable {
    let status: Int
    let statusLine: String
    let fields: [(name: String, value: String)]
    /// As on the wire, chunk framing included.
    let body: Data
    let ending: RawConnection.Ending?

    init(_ data: Data, ending: RawConnection.Ending?) throws {
        guard let end = data.range(of: Data("\r\n\r\n".utf8)) else {
            throw LaunchFailed(
                description: "no response head, \(String(describing: ending)), in \(data.count) bytes: "
                    + String(decoding: data.prefix(200), as: UTF8.self))
        }
        var lines = String(decoding: data[data.startIndex..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        statusLine = lines.removeFirst()
        status = Int(statusLine.split(separator: " ").dropFirst().first ?? "") ?? 0
        fields = lines.map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (
                line[..<colon].lowercased(),
                line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            )
        }
        body = data[end.upperBound...]
        self.ending = ending
    }

    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    var text: String { String(decoding: body, as: UTF8.self) }
    var isChunked: Bool { self["transfer-encoding"]?.lowercased() == "chunked" }

    /// The body without chunk framing; nil if the framing did not end as it should.
    var content: Data? {
        if let length = self["content-length"].flatMap({ Int($0) }) { return body.count == length ? body : nil }
        guard isChunked else { return ending == .end ? body : nil }
        var content = Data()
        var rest = body
        while let line = rest.range(of: Data("\r\n".utf8)) {
            let head = String(decoding: rest[rest.startIndex..<line.lowerBound], as: UTF8.self)
            guard let size = Int(head.prefix { $0 != ";" }, radix: 16) else { return nil }
            rest = rest[line.upperBound...]
            if size == 0 { return rest.suffix(2) == Data("\r\n".utf8) ? content : nil }
            guard rest.count >= size + 2 else { return nil }
            content.append(rest.prefix(size))
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }

    static func isComplete(_ data: Data, bodyless: Bool) -> Bool {
        guard data.range(of: Data("\r\n\r\n".utf8)) != nil, let response = try? RawResponse(data, ending: nil) else {
            return false
        }
        if bodyless || response.status < 200 || response.status == 204 || response.status == 304 { return true }
        return response.content != nil
    }
}
