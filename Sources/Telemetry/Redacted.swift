/// A secret that cannot be printed by accident: every description, mirror and dump shows `<redacted>`.
///
/// Keeps the value, does not protect the memory. `reveal()` is the one way out, so a search for it finds every use.
public struct Redacted<Value: Sendable>: Sendable {
    private let value: Value

    /// Wraps a secret.
    public init(_ value: Value) {
        self.value = value
    }

    /// The secret itself.
    public func reveal() -> Value {
        value
    }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }

    /// Always `<redacted>`.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror {
        Mirror(self, children: EmptyCollection<Mirror.Child>())
    }
}

extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}
