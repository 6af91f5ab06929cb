import CYAML
import Telemetry

/// Reads the small part of YAML that a configuration needs into a tree with line numbers.
///
/// Refused: anchors, aliases, merge keys, tags, keys that are no scalars, a key given twice, several documents, depth
/// beyond 32, more than 100,000 values. Null is a plain `null`, `~` or nothing. JSON is read too.
struct YAMLReader {
    static let maximumDepth = 32
    static let maximumNodes = 100_000

    /// What is wrong with a document; `line` from 1.
    struct Problem: Error, Equatable {
        let line: Int
        let text: String
    }

    private let events: YAMLEvents
    private var nodes = 0

    /// The document's value; null for an empty document.
    static func read(_ bytes: [UInt8]) throws(Problem) -> Node {
        guard !bytes.contains(0) else { throw Problem(line: 1, text: "a NUL byte; is this a text file?") }
        var reader = YAMLReader(events: YAMLEvents(bytes))
        return try reader.document()
    }

    private init(events: YAMLEvents) {
        self.events = events
    }

    private mutating func document() throws(Problem) -> Node {
        var root = Node(.null, line: 1)
        var hasDocument = false
        while true {
            let event = try events.next()
            switch event.kind {
            case .documentStart where hasDocument:
                throw Problem(line: event.line, text: "a second document; one is allowed")
            case .documentStart:
                hasDocument = true
                root = try node(events.next(), depth: 1)
            case .end:
                return root
            default:
                continue
            }
        }
    }

    private mutating func node(_ event: YAMLEvents.Event, depth: Int) throws(Problem) -> Node {
        nodes += 1
        guard nodes <= Self.maximumNodes else { throw Problem(line: event.line, text: "too many values") }
        guard depth <= Self.maximumDepth else { throw Problem(line: event.line, text: "nested too deep") }
        switch event.kind {
        case .scalar(let text, let isPlain):
            let isNull = isPlain && (text.isEmpty || text == "null" || text == "~" || text == "Null" || text == "NULL")
            return Node(isNull ? .null : .scalar(text), line: event.line)
        case .sequenceStart:
            return Node(.list(try items(depth: depth)), line: event.line)
        case .mappingStart:
            return Node(.mapping(try entries(depth: depth)), line: event.line)
        default:
            throw Problem(line: event.line, text: "a value was expected here")
        }
    }

    private mutating func items(depth: Int) throws(Problem) -> [Node] {
        var items: [Node] = []
        while true {
            let event = try events.next()
            if event.kind == .collectionEnd { return items }
            items.append(try node(event, depth: depth + 1))
        }
    }

    private mutating func entries(depth: Int) throws(Problem) -> [Node.Entry] {
        var entries: [Node.Entry] = []
        var seen: Set<String> = []
        while true {
            let event = try events.next()
            if event.kind == .collectionEnd { return entries }
            guard case .scalar(let key, let isPlain) = event.kind else {
                throw Problem(line: event.line, text: "a key must be a plain word")
            }
            if isPlain && key == "<<" { throw Problem(line: event.line, text: "merge keys are not supported") }
            guard seen.insert(key).inserted else {
                throw Problem(line: event.line, text: "\"\(Escaper.escape(key))\" is given twice")
            }
            let value = try node(events.next(), depth: depth + 1)
            entries.append(Node.Entry(key: key, keyLine: event.line, value: value))
        }
    }
}
