/// Bytes in, bytes out, in order: one block of memory that grows as needed and is given back when it runs empty, so
/// that a connection at rest holds none.
public struct ByteQueue: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>?
    private var capacity = 0
    private var start = 0
    private var end = 0

    public init() {}

    deinit { base?.deallocate() }

    /// How many bytes wait.
    public var count: Int { end - start }
    public var isEmpty: Bool { end == start }

    /// The bytes that wait, as long as the queue is not changed.
    public var span: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let buffer = UnsafeBufferPointer(start: base.map { UnsafePointer($0 + start) }, count: count)
            return _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
        }
    }

    /// Adds bytes at the end.
    public mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    /// Adds bytes at the end.
    public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 0, let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base! + end).initialize(from: source, count: bytes.count)
        end += bytes.count
    }

    /// Takes `count` bytes off the front; they must be there.
    public mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "more consumed than there is")
        start += count
        if start == end { removeAll() }
    }

    /// Forgets all bytes and gives the memory back.
    public mutating func removeAll() {
        base?.deallocate()
        base = nil
        (capacity, start, end) = (0, 0, 0)
    }

    /// Gives the memory away with its bytes; the caller deallocates `base`.
    mutating func take() -> (base: UnsafeMutablePointer<UInt8>, start: Int, count: Int)? {
        guard let base, count > 0 else { return nil }
        defer {
            self.base = nil
            (capacity, start, end) = (0, 0, 0)
        }
        return (base, start, count)
    }

    private mutating func reserve(_ more: Int) {
        if end + more <= capacity { return }
        // Move to the front where that alone makes room; this keeps a slowly read queue from growing for ever.
        if let base, count + more <= capacity, start >= count {
            base.update(from: base + start, count: count)
            (start, end) = (0, count)
            return
        }
        var larger = max(capacity * 2, 1024)
        while larger < count + more { larger *= 2 }
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        if let base {
            moved.initialize(from: base + start, count: count)
            base.deallocate()
        }
        (base, capacity, start, end) = (moved, larger, 0, count)
    }
}
