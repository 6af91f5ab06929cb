import EventLoop
import Glibc
import Testing

@Suite struct BlockingWorkTests {
    @Test("the work runs elsewhere, the loop goes on meanwhile, the result comes back to the loop")
    func elsewhere() async throws {
        try await onLoop { loop in
            let thread = pthread_self()
            async let result = BlockingWork.run(on: loop) {
                usleep(50_000)
                return pthread_self()
            }
            var turns = 0
            let timer = LoopTimer(loop: loop) {}
            timer.close()
            for _ in 0..<5 {
                await loop.sleep(for: .milliseconds(1))
                turns += 1
            }
            let other = await result
            #expect(turns == 5 && other != thread && pthread_self() == thread)
        }
    }
}
