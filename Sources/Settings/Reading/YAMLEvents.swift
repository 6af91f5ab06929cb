import CYAML

/// libyaml's event parser (yaml.h), one event after the other. Owns the parser and the bytes it reads.
final class YAMLEvents {
    /// What the document goes on with.
    enum Kind: Equatable {
        case documentStart
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart
        case collectionEnd
        case end
        case other
    }

    struct Event {
        let kind: Kind
        /// From 1.
        let line: Int
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        input = .allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        let status = yaml_parser_initialize(parser)
        precondition(status == 1, "yaml_parser_initialize fails only when out of memory")
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    func next() throws(YAMLReader.Problem) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
        defer { yaml_event_delete(&event) }
        let line = Int(event.start_mark.line) + 1
        switch event.type {
        case YAML_DOCUMENT_START_EVENT:
            return Event(kind: .documentStart, line: line)
        case YAML_ALIAS_EVENT:
            throw YAMLReader.Problem(line: line, text: "aliases are not supported")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            try refuse(anchor: scalar.anchor, tag: scalar.tag, line: line)
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            return Event(kind: .scalar(String(decoding: bytes, as: UTF8.self), isPlain: isPlain), line: line)
        case YAML_SEQUENCE_START_EVENT:
            try refuse(anchor: event.data.sequence_start.anchor, tag: event.data.sequence_start.tag, line: line)
            return Event(kind: .sequenceStart, line: line)
        case YAML_MAPPING_START_EVENT:
            try refuse(anchor: event.data.mapping_start.anchor, tag: event.data.mapping_start.tag, line: line)
            return Event(kind: .mappingStart, line: line)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            return Event(kind: .collectionEnd, line: line)
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
            return Event(kind: .end, line: line)
        default:
            return Event(kind: .other, line: line)
        }
    }

    private func refuse(
        anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?, line: Int
    ) throws(YAMLReader.Problem) {
        if anchor != nil { throw YAMLReader.Problem(line: line, text: "anchors are not supported") }
        if tag != nil { throw YAMLReader.Problem(line: line, text: "tags are not supported") }
    }

    private func problem() -> YAMLReader.Problem {
        let text = parser.pointee.problem.map { String(cString: $0) } ?? "not valid YAML"
        let line = max(parser.pointee.problem_mark.line, parser.pointee.context_mark.line)
        return YAMLReader.Problem(line: Int(line) + 1, text: text)
    }
}
