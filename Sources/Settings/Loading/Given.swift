/// A value that somebody gave for a setting, not yet read.
struct Given: Sendable {
    var node: Node
    let origin: Origin
    /// The node is the path of a file that holds the (secret) value.
    var namesFile = false
}

/// What one layer (flags, variables or file) gives, by the settings' keys.
typealias Layer = [String: Given]
