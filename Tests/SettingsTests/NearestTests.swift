import Testing

@testable import Settings

@Suite struct NearestTests {
    @Test(arguments: [
        ("lissten", "listen"), ("lsiten", "listen"), ("LISTEN", "listen"), ("thread", "threads"), ("treads", "threads"),
    ]) func `a slip finds its name`(slip: String, name: String) {
        #expect(Nearest.name(to: slip, among: ["listen", "threads", "via"]) == name)
    }

    @Test func `what resembles nothing gets no suggestion`() {
        #expect(Nearest.name(to: "something", among: ["listen", "via"]) == nil)
        #expect(Nearest.name(to: "x", among: []) == nil)
    }
}
