/// A dictionary of at most `capacity` entries: a new one takes the place of what was not used for longest.
///
/// Every operation takes constant time. A linked list through an array: indices instead of references.
struct LRUCache<Key: Hashable, Value> {
    private struct Node {
        var key: Key
        var value: Value
        var newer: Int
        var older: Int
    }

    private let capacity: Int
    private var places: [Key: Int] = [:]
    private var nodes: [Node] = []
    /// -1: none.
    private var newest = -1
    private var oldest = -1

    /// At least one entry.
    init(capacity: Int) {
        precondition(capacity > 0, "a cache holds something")
        self.capacity = capacity
    }

    var count: Int { nodes.count }

    /// The value of a key, which counts as used; `make` is called for one that is not there.
    mutating func value(for key: Key, orInsert make: () -> Value) -> Value {
        if let place = places[key] {
            if place != newest {
                unlink(place)
                linkAsNewest(place)
            }
            return nodes[place].value
        }
        let value = make()
        let node = Node(key: key, value: value, newer: -1, older: -1)
        var place = nodes.count
        if place < capacity {
            nodes.append(node)
        } else {
            place = oldest
            unlink(place)
            places[nodes[place].key] = nil
            nodes[place] = node
        }
        places[key] = place
        linkAsNewest(place)
        return value
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (nodes[place].newer, nodes[place].older)
        if newer >= 0 { nodes[newer].older = older } else { newest = older }
        if older >= 0 { nodes[older].newer = newer } else { oldest = newer }
    }

    private mutating func linkAsNewest(_ place: Int) {
        nodes[place].newer = -1
        nodes[place].older = newest
        if newest >= 0 { nodes[newest].newer = place } else { oldest = place }
        newest = place
    }
}
