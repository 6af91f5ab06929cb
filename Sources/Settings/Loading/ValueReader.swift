import Telemetry

/// Reads given values into a tree, highest layer first, and remembers where each came from.
struct ValueReader {
    let environment: [String: String]
    let files: FileAccess
    private(set) var faults: [Fault] = []

    static let maximumSecretBytes = 65_536

    init(environment: [String: String], files: FileAccess) {
        self.environment = environment
        self.files = files
    }

    /// Reads each of `settings` from the first of `layers` that gives it; returns the origins of those that were given.
    mutating func read<Root>(
        _ settings: [Setting<Root>], from layers: [Layer], under prefix: String = "", into root: inout Root
    ) -> [String: Origin] {
        var origins: [String: Origin] = [:]
        for setting in settings {
            guard let given = layers.lazy.compactMap({ $0[setting.key] }).first else { continue }
            origins[setting.key] = given.origin
            let key = prefix + setting.key
            do throws(Fault) {
                let node = try resolved(given, setting, key)
                var problems: [ValueProblem] = []
                setting.store(node, &root, &problems)
                for problem in problems { faults.append(fault(problem, given, setting, key)) }
            } catch {
                faults.append(error)
            }
        }
        return origins
    }

    private func fault<Root>(_ problem: ValueProblem, _ given: Given, _ setting: Setting<Root>, _ key: String) -> Fault
    {
        var origin = given.origin
        if case .file(let path, _) = origin, problem.line > 0 { origin = .file(path: path, line: problem.line) }
        let value = setting.mask(problem.value)
        return .notAllowed(key, origin, value: value, allowed: problem.allowed ?? setting.allowed)
    }

    /// The value itself, where a file or a variable was named in its place.
    private func resolved<Root>(_ given: Given, _ setting: Setting<Root>, _ key: String) throws(Fault) -> Node {
        if given.namesFile {
            guard case .scalar(let path) = given.node.content, !path.isEmpty else {
                throw Fault.notAllowed(key, given.origin, value: given.node.shown, allowed: "the path of a file")
            }
            return Node(texts: [try secret(inFile: path, given.origin, key)], shape: setting.shape)
        }
        guard setting.shape == .fieldLines, case .mapping(let entries) = given.node.content else { return given.node }
        var resolvedEntries: [Node.Entry] = []
        for entry in entries {
            let value = try fieldValue(entry, given.origin, key)
            resolvedEntries.append(Node.Entry(key: entry.key, keyLine: entry.keyLine, value: value))
        }
        return Node(.mapping(resolvedEntries), line: given.node.line)
    }

    /// A field's value that is given as `{file: PATH}` or `{variable: NAME}`.
    private func fieldValue(_ entry: Node.Entry, _ origin: Origin, _ key: String) throws(Fault) -> Node {
        guard case .mapping(let choice) = entry.value.content, choice.count == 1,
            case .scalar(let name) = choice[0].value.content
        else { return entry.value }
        switch choice[0].key {
        case "file":
            return Node(.scalar(try secret(inFile: name, origin, key)), line: entry.value.line)
        case "variable":
            guard let text = environment[name] else {
                throw Fault(key, origin, "the variable \(Escaper.escape(name)) is not set")
            }
            return Node(.scalar(text), line: entry.value.line)
        default:
            return entry.value
        }
    }

    /// The content of a file without one trailing line end.
    private func secret(inFile path: String, _ origin: Origin, _ key: String) throws(Fault) -> String {
        do throws(FileProblem) {
            var bytes = try files.read(path, Self.maximumSecretBytes)
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw FileProblem(reason: "not UTF-8 text")
            }
            return text
        } catch {
            throw Fault(key, origin, "the file \"\(Escaper.escape(path))\" cannot be read: \(error.reason)")
        }
    }
}
