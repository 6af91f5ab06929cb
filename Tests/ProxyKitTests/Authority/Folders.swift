import Foundation

/// Lends a new folder for this user alone, which is gone afterwards.
func inFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let base = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: base) }
    return try body(base)
}

/// The same for a body that waits.
func inFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let base = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: base) }
    return try await body(base)
}

private func makeFolder() throws -> String {
    let base = FileManager.default.temporaryDirectory.path + "/waf-token-proxy-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
        atPath: base, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return base
}
