internal import EventLoop

/// What clients reach without a proxy: a `NO_PROXY` list.
///
/// Clients differ in how they read one. What most have in common: `*` is everything; `shop.test`, `.shop.test` and
/// `*.shop.test` are the name and all below it (some take the name itself out of the latter two); `10.0.0.0/8` is a
/// network; a port behind a colon may narrow it.
struct BypassList: Equatable {
    private(set) var entries: [String] = []

    init(_ text: String) {
        self.init(entries: text.split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init))
    }

    /// Keeps the first of equal ones.
    init(entries: [String]) {
        for entry in entries where !entry.isEmpty && !self.entries.contains(entry) { self.entries.append(entry) }
    }

    var isEmpty: Bool { entries.isEmpty }
    var text: String { entries.joined(separator: ",") }

    static func + (left: BypassList, right: BypassList) -> BypassList {
        BypassList(entries: left.entries + right.entries)
    }

    /// The entry by which some client passes by the proxy for a host that is listed as `pattern` (`shop.test`,
    /// `*.api.shop.test:8443`, `[::1]:*`), or nil.
    func entry(swallowing pattern: String) -> String? {
        var host = Self.withoutPort(pattern)
        if host.hasPrefix("*.") { host = "any" + host.dropFirst() }
        return entries.first { Self.matches($0, host.lowercased()) }
    }

    private static func matches(_ entry: String, _ host: String) -> Bool {
        if entry == "*" { return true }
        if let address = SocketAddress(ip: host, port: 0) {
            return Network(parsing: withoutPort(entry))?.contains(address) ?? false
        }
        var name = withoutPort(entry).lowercased()
        if name.hasPrefix("*") { name.removeFirst() }
        if name.hasPrefix(".") { name.removeFirst() }
        if name.hasSuffix(".") { name.removeLast() }
        return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }

    /// Without the port and the brackets of an IPv6 address.
    private static func withoutPort(_ text: String) -> String {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[..<end].dropFirst()) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : text
    }

    /// The same for Java: patterns between bars, with `*` at one end. Networks are given only where they end at a dot.
    var javaText: String {
        BypassList(entries: entries.flatMap(Self.javaPatterns)).entries.joined(separator: "|")
    }

    private static func javaPatterns(_ entry: String) -> [String] {
        let name = withoutPort(entry)
        if name == "*" { return ["*"] }
        if let slash = name.firstIndex(of: "/") {
            guard !name.contains(":"), let bits = Int(name[slash...].dropFirst()), [8, 16, 24].contains(bits) else {
                return name.hasSuffix("/32") ? [String(name[..<slash])] : []
            }
            return [name.split(separator: ".").prefix(bits / 8).joined(separator: ".") + ".*"]
        }
        if name.contains(":") { return ["[\(name)]"] }
        if SocketAddress(ip: name, port: 0) != nil { return [name] }
        if name.hasPrefix("*.") { return [name] }
        return name.hasPrefix(".") ? ["*" + name] : [name, "*." + name]
    }
}
