/// One environment variable for a client.
public struct ClientVariable: Sendable, Equatable {
    /// Its name.
    public let name: String
    /// Its value; where there is a separator, our part of it.
    public let value: String
    /// What stands between a value that is there already and ours; nil: ours takes its place.
    public let separator: String?

    init(_ name: String, _ value: String, separator: String? = nil) {
        self.name = name
        self.value = value
        self.separator = separator
    }
}
