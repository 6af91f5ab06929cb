import Testing

@testable import TLS

@Suite struct LRUCacheTests {
    @Test("What was not used for longest makes room")
    func order() {
        var cache = LRUCache<String, Int>(capacity: 3)
        for (number, key) in ["a", "b", "c"].enumerated() { #expect(cache.value(for: key) { number } == number) }
        #expect(cache.value(for: "a") { 9 } == 0)
        #expect(cache.value(for: "d") { 3 } == 3)
        #expect(cache.count == 3)
        #expect(cache.value(for: "a") { 9 } == 0)
        #expect(cache.value(for: "c") { 9 } == 2)
        #expect(cache.value(for: "b") { 9 } == 9)
    }

    @Test("It agrees with a plain list over many steps", arguments: [1, 2, 7])
    func agrees(capacity: Int) {
        var cache = LRUCache<Int, Int>(capacity: capacity)
        var list: [(key: Int, value: Int)] = []
        var state: UInt32 = 1
        for step in 0..<5000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let key = Int(state >> 28)
            let expected: Int
            if let place = list.firstIndex(where: { $0.key == key }) {
                let entry = list.remove(at: place)
                list.append(entry)
                expected = entry.value
            } else {
                if list.count == capacity { list.removeFirst() }
                list.append((key, step))
                expected = step
            }
            #expect(cache.value(for: key) { step } == expected)
            #expect(cache.count == list.count)
        }
    }
}
