/// Writes heads as they go over the wire.
public enum HeadWriter {
    /// Appends status line, fields and the empty line. The version is ours: HTTP/1.1 (RFC 9110 §2.5).
    ///
    /// An empty reason goes out as the status' own phrase.
    public static func write(response head: borrowing ResponseHead, into out: inout [UInt8]) {
        out.append("HTTP/1.1 ")
        out.append(decimal: head.status)
        out.append(0x20)
        if head.reason.isEmpty, let phrase = ReasonPhrase.of(head.status) {
            out.append(phrase)
        } else {
            out.append(contentsOf: head.reason)
        }
        out.append("\r\n")
        write(head.fields, into: &out)
    }

    /// Appends the request line with the target as it is, HTTP/1.1, the fields and the empty line.
    public static func write(request head: borrowing RequestHead, into out: inout [UInt8]) {
        write(requestLine: head.methodBytes.span, target: head.targetBytes.span, into: &out)
        write(head.fields, into: &out)
    }

    /// Appends `METHOD target HTTP/1.1` and the line end.
    public static func write(requestLine method: Span<UInt8>, target: Span<UInt8>, into out: inout [UInt8]) {
        out.append(method)
        out.append(0x20)
        out.append(target)
        out.append(" HTTP/1.1\r\n")
    }

    /// Appends the fields, each as it came, and the empty line.
    public static func write(_ fields: borrowing Fields, into out: inout [UInt8]) {
        var index = 0
        while index < fields.count {
            let run = fields.run(from: &index)
            out.append(fields.bytes.span.extracting(run))
        }
        out.append("\r\n")
    }
}

extension Fields {
    /// The bytes of the lines from `index` on that stand behind each other, line ends included; `index` moves on.
    fileprivate func run(from index: inout Int) -> Range<Int> {
        let start = Int(entries[index].start)
        var end = Int(entries[index].lineEnd) + 2
        index += 1
        while index < entries.count, Int(entries[index].start) == end {
            end = Int(entries[index].lineEnd) + 2
            index += 1
        }
        return start..<end
    }
}
