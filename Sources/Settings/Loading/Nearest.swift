/// Finds the known name that an unknown one probably meant.
enum Nearest {
    /// The nearest by edits (a swap of neighbours is one), if it is near enough to be worth a word.
    static func name(to unknown: String, among known: some Sequence<String>) -> String? {
        let wanted = Array(HostText.lowercased(unknown).utf8.prefix(64))
        var best: (name: String, distance: Int)?
        for name in known {
            let distance = distance(wanted, Array(HostText.lowercased(name).utf8))
            if best.map({ distance < $0.distance }) ?? true { best = (name, distance) }
        }
        guard let best, best.distance <= max(2, wanted.count / 3) else { return nil }
        return best.name
    }

    /// Optimal string alignment distance.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast = [Int]()
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let isSame = left[row] == right[column]
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                let isSwap =
                    row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
                if isSwap { cost = min(cost, beforeLast[column - 1] + 1) }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
