import Telemetry
import Testing

@Suite struct CounterTests {
    @Test func `adding from many tasks loses nothing`() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<1000 { counter.add() } } }
        }
        counter.add(5)
        #expect(counter.value == 4005)
    }
}
