internal import CCurl
internal import HTTP

/// A request's header lines as libcurl takes them (CURLOPT_HTTPHEADER): a `curl_slist` whose nodes and NUL-terminated
/// strings live in two blocks that are used again, so that a field costs no allocation.
///
/// Two entries come first, because libcurl looks for the first entry of a name: `Host:` makes it add no `Host` of its
/// own and send the client's in its place; `Expect:` keeps it from adding one, from waiting for the 100 and from
/// sending again by itself on a 417, while the client's own still goes out. The list must not be freed by libcurl.
struct HeaderList: ~Copyable {
    private var nodes: UnsafeMutablePointer<curl_slist>
    private var nodeCapacity = 32
    private var nodeCount = 0
    private var text: UnsafeMutablePointer<CChar>
    private var textCapacity = 2048
    private var textCount = 0

    init() {
        nodes = .allocate(capacity: nodeCapacity)
        text = .allocate(capacity: textCapacity)
    }

    deinit {
        nodes.deallocate()
        text.deallocate()
    }

    /// Writes the list for one request. The pointer is good until the next call.
    /// `isForParent` says that libcurl would add a `Proxy-Connection` of its own.
    mutating func build(
        _ request: borrowing OutboundRequest, isForParent: Bool = false
    ) -> UnsafeMutablePointer<curl_slist> {
        let count = request.fields.count
        var room = 128
        for index in 0..<count { room += request.fields.line(index).count + 2 }
        reserve(nodes: count + 6, text: room)
        append("Host:")
        append("Expect:")
        if isForParent { append("Proxy-Connection:") }
        var hasAccept = false
        var hasCoding = false
        for index in 0..<count {
            switch request.fields.known(index) {
            case .accept: hasAccept = true
            case .contentLength:
                if case .chunked = request.framing { continue }
            case .transferEncoding:
                guard case .chunked = request.framing else { continue }
                hasCoding = true
            default: break
            }
            append(field: index, of: request.fields)
        }
        if !hasAccept { append("Accept:") }
        if request.upgrade {
            append("Transfer-Encoding:")  // the upload is the upgraded connection, not a body
        } else if case .chunked = request.framing, !hasCoding {
            append("Transfer-Encoding: chunked")
        }
        nodes[nodeCount - 1].next = nil
        return nodes
    }

    private mutating func append(field index: Int, of fields: borrowing Fields) {
        open()
        if fields.value(index).count == 0 {
            // libcurl sends `Name;` as `Name:`, and drops `Name:`.
            write(fields.name(index))
            text[textCount] = CChar(UInt8(ascii: ";"))
            textCount += 1
        } else {
            write(fields.line(index))
        }
        close()
    }

    private mutating func append(_ line: StaticString) {
        open()
        text.advanced(by: textCount).update(
            from: UnsafeRawPointer(line.utf8Start).assumingMemoryBound(to: CChar.self), count: line.utf8CodeUnitCount)
        textCount += line.utf8CodeUnitCount
        close()
    }

    private mutating func write(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBytes { source in
            UnsafeMutableRawPointer(text + textCount).copyMemory(from: source.baseAddress!, byteCount: source.count)
        }
        textCount += bytes.count
    }

    private mutating func open() {
        nodes[nodeCount] = curl_slist(data: text + textCount, next: nodes + nodeCount + 1)
        nodeCount += 1
    }

    private mutating func close() {
        text[textCount] = 0
        textCount += 1
    }

    private mutating func reserve(nodes neededNodes: Int, text neededText: Int) {
        nodeCount = 0
        textCount = 0
        if neededNodes > nodeCapacity {
            nodes.deallocate()
            nodeCapacity = neededNodes * 2
            nodes = .allocate(capacity: nodeCapacity)
        }
        if neededText > textCapacity {
            text.deallocate()
            textCapacity = neededText * 2
            text = .allocate(capacity: textCapacity)
        }
    }
}

extension HeaderList {
    /// The entries as text, for tests and for a person with a debugger.
    mutating func entries(_ request: borrowing OutboundRequest) -> [String] {
        var next: UnsafeMutablePointer<curl_slist>? = build(request)
        var entries: [String] = []
        while let node = next {
            entries.append(String(cString: node.pointee.data))
            next = node.pointee.next
        }
        return entries
    }
}
