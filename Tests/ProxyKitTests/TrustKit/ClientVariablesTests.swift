import Foundation
import Settings
import Testing

@testable import ProxyKit

@Suite struct ClientVariablesTests {
    private let plain = ClientVariables(
        proxy: "127.0.0.1:8080", trustKit: "/kit", noProxy: ["localhost"], java: .toolOptions)

    private func merged(_ existing: [String: String], _ variables: ClientVariables? = nil) -> [String: String] {
        Dictionary(uniqueKeysWithValues: (variables ?? plain).merged(over: existing).map { ($0.name, $0.value) })
    }

    @Test func `each variable is set once, and none that would break a client`() {
        let names = plain.own().map(\.name)
        #expect(Set(names).count == names.count)
        #expect(!names.contains("SSL_CERT_DIR") && !names.contains("all_proxy") && !names.contains("ALL_PROXY"))
        #expect(plain.own().allSatisfy { !$0.value.isEmpty })
    }

    @Test func `the page about trust names every variable`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/client-trust.md"), encoding: .utf8)
        for name in plain.own().map(\.name) where name != "no_proxy" { #expect(page.contains("`\(name)"), "\(name)") }
    }

    @Test func `a variable that replaces the roots never names the authority alone`() {
        for variable in plain.own() where variable.value.hasSuffix("/ca.pem") {
            #expect(variable.name == "NODE_EXTRA_CA_CERTS", "Node adds the file to its roots; others replace them")
        }
        #expect(merged([:])["SSL_CERT_FILE"] == "/kit/bundle.pem")
    }

    @Test func `the lists of hosts to pass by are kept, of both spellings, and given in both`() {
        let set = merged(["no_proxy": "a.test,b.test", "NO_PROXY": "b.test c.test"])
        #expect(set["no_proxy"] == "a.test,b.test,c.test,localhost")
        #expect(set["NO_PROXY"] == set["no_proxy"])
        var nothing = plain
        nothing.noProxy = []
        #expect(merged([:], nothing)["NO_PROXY"] == nil)
        #expect(merged(["no_proxy": "a.test"], nothing)["NO_PROXY"] == "a.test")
        #expect(!nothing.own().contains { $0.name == "NO_PROXY" })
    }

    @Test func `Java's options come behind those that are there, once`() {
        let once = merged(["JAVA_TOOL_OPTIONS": "-Xmx1g"])
        #expect(
            once["JAVA_TOOL_OPTIONS"]?.hasPrefix("-Xmx1g -Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=8080 ") == true)
        #expect(merged(once)["JAVA_TOOL_OPTIONS"] == once["JAVA_TOOL_OPTIONS"])
        #expect(merged(once) == once)
    }

    @Test func `Java is told by another variable, or by none`() {
        var variables = plain
        variables.java = .launcherOptions
        #expect(merged([:], variables)["JAVA_TOOL_OPTIONS"] == nil)
        #expect(merged([:], variables)["JDK_JAVA_OPTIONS"]?.contains("trustStoreType=PKCS12") == true)
        variables.java = .none
        #expect(merged([:], variables).keys.allSatisfy { !$0.contains("JAVA") })
    }

    @Test func `a file that Node adds already is not lost: the bundle holds it`() {
        #expect(merged([:])["NODE_EXTRA_CA_CERTS"] == "/kit/ca.pem")
        #expect(merged(["NODE_EXTRA_CA_CERTS": "/mine.pem"])["NODE_EXTRA_CA_CERTS"] == "/kit/bundle.pem")
        #expect(merged(["NODE_EXTRA_CA_CERTS": "/kit/ca.pem"])["NODE_EXTRA_CA_CERTS"] == "/kit/ca.pem")
    }

    @Test func `without a trust kit clients are told of the proxy alone`() {
        var variables = plain
        variables.trustKit = nil
        let set = merged([:], variables)
        #expect(set["https_proxy"] == "http://127.0.0.1:8080")
        #expect(set["SSL_CERT_FILE"] == nil && set["NODE_EXTRA_CA_CERTS"] == nil && set["SYSTEM_WGETRC"] == nil)
        #expect(set["JAVA_TOOL_OPTIONS"]?.contains("trustStore") == false)
    }

    @Test func `Java itself reads the options back, blanks and quotes in paths included`() throws {
        for folder in ["/a kit", "/it's", "/a \"b\""] {
            var variables = plain
            variables.trustKit = folder
            variables.proxy = "[::1]:8080"
            for java in [JavaVariable.toolOptions, .launcherOptions] {
                variables.java = java
                let options = try #require(merged([:], variables)[java.rawValue])
                let words = ["java", "-XshowSettings:properties", "-version"]
                let said = try run(words, environment: [java.rawValue: options])
                #expect(said.status == 0, "\(said.errors)")
                #expect(said.errors.contains("javax.net.ssl.trustStore = \(folder)/truststore.p12\n"))
                #expect(said.errors.contains("https.proxyHost = [::1]\n"))
                #expect(said.errors.contains("https.proxyPort = 8080\n"))
                #expect(said.errors.contains("http.nonProxyHosts = localhost|*.localhost\n"))
            }
        }
    }
}
