import Foundation
import Testing

/// The web page of the admin listener, in a real browser.
@Suite(.timeLimit(.minutes(5)))
struct WebPageTests {
    private static let hasBrowser = FileManager.default.isExecutableFile(atPath: "/usr/bin/chromedriver")

    @Test(
        "providers and requests are shown and filtered, the keyboard refreshes and expires, nothing is asked elsewhere",
        .enabled(if: hasBrowser, "needs Debian's chromium and chromium-driver"))
    func page() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            for _ in 0..<3 { _ = try await proxy.get("http://shop.test/get") }
            #expect(try await proxy.get("http://169.254.169.254/x").status == 403)
            let admin = try await proxy.process.address("admin")
            let file = "\(rig.folder)/waf-token-proxy/admin-\(admin).token"
            let result = try await rig.run(
                Places.python, [Places.support("page_client.py"), "\(admin)", "\(proxy.address)", file],
                environment: ["HOME": rig.folder], within: .seconds(120))
            let found = try #require(
                JSON(parsing: String(decoding: result.output, as: UTF8.self)), "\(result.errors.suffix(2000))")
            #expect(found["card"].string?.hasPrefix("shop\nfresh\n") == true)
            #expect(found["rows"].elements.count == 4)
            let filters = found["filters"]
            #expect(filters["nothing fits"] == true && filters["pressed"] == "true")
            #expect(filters["archive"] == [403] && filters["while paused"] == [4, true])
            #expect(found["first stop"].string == "Skip to content")
            #expect(found["focus after"].string == "Refresh the token of shop now")
            #expect(found["origins"].elements == [.string("http://\(admin)")])
            #expect(found["console"].elements.isEmpty, "\(found["console"])")
            #expect(found["phone"].elements.first == found["phone"].elements.last)
            #expect(found["page"].string?.contains(Rig.emulatedPrefix) == false)
        }
    }
}
