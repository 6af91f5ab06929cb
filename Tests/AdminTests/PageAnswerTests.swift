import HTTP
import Testing

@testable import Admin

@Suite struct PageAnswerTests {
    private func text(_ file: PageFile) -> String {
        guard case .bytes(let bytes, _) = file.answer.content else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("the page's files need no token, run nothing from elsewhere and are shown in nobody's page")
    func files() throws {
        for (path, file) in [("/", PageFile.html), ("/page.css", .css), ("/page.js", .script)] {
            let operation = try AdminOperation.find(request(.get, path)).get()
            #expect(operation == .page(file) && operation.access == .probe)
            let policy = file.answer.extraFields.first { "\($0.name)" == "Content-Security-Policy" }?.value ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
        }
        let (html, script) = (text(.html), text(.script))
        #expect(html.hasPrefix("<!doctype html>") && script.contains("addEventListener"))
        #expect(!html.contains("http://") && !html.contains("https://"))
        #expect(!html.contains("style=") && !html.contains("onclick"))
        #expect(!script.contains("innerHTML") && !script.contains("localStorage"))
    }
}
