/// Decides which kind of source a provider has, from the keys that were given.
///
/// The highest layer that names one wins as a whole: a `--token-file` beats the `http` source of the file. Within one
/// layer there is one.
struct SourceSelection {
    private(set) var type: SourceType?
    /// What decided for the type.
    private(set) var decider: Origin?
    private(set) var faults: [Fault] = []

    /// `explicit` is the value of `source.type`, if it was given.
    init(layers: [Layer], explicit: SourceType?, key: String, isRequired: Bool = true) {
        for layer in layers {
            var named = SourceType.allCases.filter { layer[$0.selector] != nil && layer[$0.selector]?.isNull == false }
            if layer["source.type"] != nil, let explicit { named = [explicit] }
            guard let first = named.first else { continue }
            if named.count > 1 {
                let origins = named.compactMap { layer[$0.selector]?.origin.description }.joined(separator: ", ")
                let origin = layer[named[1].selector]?.origin
                faults.append(Fault(key, origin, "more than one token source (\(origins)); must be exactly one"))
                return
            }
            type = first
            decider = (layer["source.type"] ?? layer[first.selector])?.origin
            checkKeys(of: first, chosenIn: layer, layers, key)
            return
        }
        guard isRequired else { return }
        let problem =
            "no token source; must be one of --token-url, --token-command, --token-file, WAF_TOKEN or a source "
            + "in the file"
        faults.append(Fault(key, nil, problem))  // what is missing stands nowhere
    }

    private mutating func checkKeys(of type: SourceType, chosenIn chosen: Layer, _ layers: [Layer], _ key: String) {
        let rank = chosen.values.map(\.origin.rank).max() ?? 0
        let isComplete = layers.contains { $0[type.selector]?.isNull == false }
        if !isComplete {
            let origin = chosen["source.type"]?.origin
            let name = type.selector.dropFirst("source.".count)
            faults.append(Fault(key, origin, "a source of type \(type.rawValue) needs \(name)"))
        }
        // Keys of another kind are ignored in layers that were beaten, and refused elsewhere.
        let foreign = Set(SourceType.allCases.flatMap(\.keys)).subtracting(type.keys)
        for layer in layers {
            for (name, given) in layer.sorted(by: { $0.key < $1.key })
            where foreign.contains(name) && !given.isNull && given.origin.rank >= rank {
                let problem = "does not belong to a token source of type \(type.rawValue)"
                faults.append(Fault(key + name.dropFirst("source".count), given.origin, problem))
            }
        }
    }
}

extension Given {
    var isNull: Bool { node.content == .null }
}
