import Telemetry

extension SettingType {
    /// Several values of `element`, without repetitions.
    static func list<Element: Sendable>(
        of element: SettingType<Element>, atLeast minimum: Int = 0
    ) -> SettingType where Value == [Element] {
        SettingType(
            allowed: "a list, each \(element.allowed)", placeholder: element.placeholder + ",...", shape: .commaList,
            examples: element.examples
        ) { node, problems in
            let items: [Node]
            switch node.content {
            case .list(let nodes): items = nodes
            case .scalar(let text): items = Node.pieces(text, ",").map { Node(.scalar($0), line: node.line) }
            case .null, .mapping:
                problems.append(ValueProblem(value: node.shown, line: node.line))
                return nil
            }
            if items.count < minimum {
                problems.append(ValueProblem(value: "", allowed: "at least \(minimum)", line: node.line))
                return nil
            }
            let found = problems.count
            var seen: Set<String> = []
            let values: [Element] = items.compactMap { item in
                var own: [ValueProblem] = []
                let value = element.parse(item, &own)
                problems += own.map { problem in
                    var problem = problem
                    problem.allowed = problem.allowed ?? element.allowed
                    return problem
                }
                guard let value else { return nil }
                if !seen.insert(element.show(value)).inserted {
                    problems.append(ValueProblem(value: item.shown, allowed: "given once", line: item.line))
                }
                return value
            }
            return problems.count == found ? values : nil
        } show: { values in
            values.isEmpty ? "none" : values.map(element.show).joined(separator: ",")
        }
        .masking(element.mask)
    }
}

extension SettingType where Value == [String] {
    /// A program and its arguments: a list, or one text that is split by a shell's rules without expansion.
    static var command: SettingType {
        SettingType(
            allowed: "a program and its arguments, quotes closed", placeholder: "'COMMAND ARG...'",
            examples: ["get-token --stage ci", "'a b' c", "true"]
        ) { node, problems in
            switch node.content {
            case .scalar(let text):
                if let words = CommandWords.split(text) { return words }
            case .list(let nodes):
                let words = nodes.compactMap { if case .scalar(let word) = $0.content { word } else { nil } }
                let isWhole = words.count == nodes.count && words.first?.isEmpty == false
                if isWhole && !words.contains(where: { $0.utf8.contains(0) }) { return words }
            case .null, .mapping: break
            }
            problems.append(ValueProblem(value: node.shown, line: node.line))
            return nil
        } show: { words in
            Escaper.escape(CommandWords.joined(words))
        }
    }
}

extension SettingType where Value == [ResolveEntry] {
    /// Authorities and where they are dialled.
    static var resolve: SettingType {
        SettingType(
            allowed: "pairs HOST:PORT=HOST:PORT", placeholder: "HOST:PORT=HOST:PORT,...", shape: .pairs,
            examples: [
                "shop.test:443=127.0.0.1:8443", "a.test:80=[::1]:8080,b.test:80=10.0.0.1:81", "c.test:1=d.test:2",
            ]
        ) { node, problems in
            guard case .mapping(let entries) = node.content else {
                problems.append(ValueProblem(value: node.shown, line: node.line))
                return nil
            }
            let found = problems.count
            let values: [ResolveEntry] = entries.compactMap { entry in
                if case .scalar(let text) = entry.value.content, let from = HostText.authority(entry.key),
                    let to = HostText.authority(text)
                {
                    return ResolveEntry(host: from.host, port: from.port, targetHost: to.host, targetPort: to.port)
                }
                let shown = "\(entry.key)=\(entry.value.shown)"
                problems.append(ValueProblem(value: shown, line: entry.keyLine))
                return nil
            }
            let names = values.map { HostText.joined($0.host, $0.port) }
            if Set(names).count < names.count {
                problems.append(ValueProblem(value: node.shown, allowed: "each authority once", line: node.line))
            }
            return problems.count == found ? values : nil
        } show: { values in
            values.isEmpty ? "none" : values.map(\.description).joined(separator: ",")
        }
    }
}
