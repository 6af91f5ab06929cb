import Foundation

/// HTTP clients of several languages, each told of the proxy in its ordinary way.
enum ProxiedClient: String, CaseIterable {
    case httpx, aiohttp, urllib, requests, node, java, javaURLConnection, go, ruby, perl, curl, wget

    /// Those that take a cookie of their own and print the status and then the body, through nothing but the variables of
    /// plain HTTP.
    static let plain: [ProxiedClient] = [.httpx, .aiohttp, .urllib, .node, .java, .go, .ruby]

    /// A command that gets `url` with this `Cookie` field and prints what came; all but curl and wget print the status in
    /// a line of its own first.
    func words(_ url: String, cookie: String) -> [String] {
        let script: [String]
        switch self {
        case .httpx, .aiohttp, .urllib, .requests:
            script = [Places.python, Places.support("proxied_get.py"), rawValue]
        case .node: script = ["node", Places.support("proxied_get.js")]
        case .java: script = ["java", Places.support("ProxiedGet.java")]
        case .javaURLConnection: return ["java", Places.support("ProxiedGet.java"), url, cookie, "URLConnection"]
        case .go: script = ["go", "run", Places.support("proxied_get.go")]
        case .ruby: script = ["ruby", Places.support("proxied_get.rb")]
        case .perl: script = ["perl", Places.support("proxied_get.pl")]
        case .curl: return ["curl", "-sS", "--fail", "-H", "Cookie: \(cookie)", url]
        case .wget: return ["wget", "-q", "-O", "-", "--tries=1", "--header=Cookie: \(cookie)", url]
        }
        return script + [url, cookie]
    }

    /// What compilers and interpreters need beside what tells of the proxy.
    static func environment(_ rig: Rig) -> [String: String] {
        [
            "HOME": rig.folder, "GOCACHE": rig.folder + "/go-cache", "GOPATH": rig.folder + "/go",
            "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "CGO_ENABLED": "0", "GOENV": "off",
            // Debian's own node looks there by itself.
            "NODE_PATH": "/usr/share/nodejs",
        ]
    }
}
