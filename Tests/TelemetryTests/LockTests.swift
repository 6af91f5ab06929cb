import Foundation
import Telemetry
import Testing

@Suite struct LockTests {
    @Test func `many threads at once lose no increment`() async {
        let lock = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { lock.withLock { $0 += 1 } } }
            }
        }
        #expect(lock.withLock { $0 } == 80_000)
    }

    @Test func `an error leaves the lock open and comes out`() {
        struct Failure: Error, Equatable {}
        let lock = Lock("a")
        #expect(throws: Failure()) {
            try lock.withLock { (value) throws(Failure) in
                value = "b"
                throw Failure()
            }
        }
        #expect(lock.withLock { $0 } == "b")
    }
}
