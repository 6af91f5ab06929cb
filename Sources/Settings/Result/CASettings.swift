/// What `ca` is asked for besides the settings of `run`.
public struct CASettings: Sendable, Equatable {
    /// Where `ca export` writes; nil: standard output.
    public var out: String?
    /// Where `ca trust-kit` writes.
    public var folder: String?

    /// The defaults.
    public init() {}
}

/// What `ca` does.
public enum CAVerb: String, Sendable, CaseIterable {
    /// Says where the authority is, what it permits and what its certificates are.
    case show
    /// Gives what clients have to trust, in PEM.
    case export
    /// Writes the files by which clients trust it into a folder.
    case trustKit = "trust-kit"
}
