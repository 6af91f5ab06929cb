/// Bounds of a head.
public struct HeadLimits: Sendable, Hashable {
    /// From the first byte of the start line to the last of the empty line.
    public var headBytes: Int
    public var headFields: Int

    public init(headBytes: Int = 65_536, headFields: Int = 200) {
        self.headBytes = headBytes
        self.headFields = headFields
    }
}
