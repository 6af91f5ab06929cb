import EventLoop
import Testing

@Suite struct ByteQueueTests {
    @Test("bytes come out in the order they went in, over any pattern of appends and consumes")
    func order() {
        var random = SystemRandomNumberGenerator()
        var queue = ByteQueue()
        var (next, expected): (UInt8, UInt8) = (0, 0)
        for _ in 0..<2000 {
            let block = (0..<Int.random(in: 0...700, using: &random)).map { _ in
                defer { next &+= 1 }
                return next
            }
            queue.append(block.span)
            let count = Int.random(in: 0...queue.count, using: &random)
            for i in 0..<count {
                #expect(queue.span[i] == expected)
                expected &+= 1
            }
            queue.consume(count)
        }
        while !queue.isEmpty {
            #expect(queue.span[0] == expected)
            expected &+= 1
            queue.consume(1)
        }
        #expect(next == expected)
    }
}
