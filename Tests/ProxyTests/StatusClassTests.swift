import Testing

@testable import Proxy

@Suite struct StatusClassTests {
    @Test(
        "a status belongs to the class of its first digit",
        arguments: [
            (0, "none"), (101, "1xx"), (200, "2xx"), (304, "3xx"), (407, "4xx"), (503, "5xx"), (600, "other"),
            (999, "other"), (42, "other"),
        ])
    func classes(status: Int, label: String) {
        #expect(StatusClass(status).label == label)
    }
}
