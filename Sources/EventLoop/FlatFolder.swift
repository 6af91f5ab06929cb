internal import CUV
internal import Glibc

/// A folder that holds files alone (readdir(3)).
public struct FlatFolder {
    private let path: String

    /// The folder at `path`, whether there is one or not.
    public init(_ path: String) { self.path = path }

    /// Removes it with its files; what is no file stays, and with it the folder.
    public func remove() {
        for name in names() { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    private func names() -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
