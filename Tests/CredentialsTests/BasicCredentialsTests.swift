import Foundation
import Telemetry
import Testing

@testable import Credentials

func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

@Suite struct BasicCredentialsTests {
    private func read(_ value: String) -> BasicCredentials? { BasicCredentials(Array(value.utf8).span) }

    @Test("name and password, whatever the case of the scheme, with padding or without")
    func good() throws {
        for value in ["Basic YTpi", "bAsIc   YTpi", "basic \(encoded("a:b"))"] {
            #expect(read(value)?.name == Array("a".utf8) && read(value)?.password.reveal() == Array("b".utf8))
        }
        #expect(read("Basic YW46eA==")?.password.reveal() == Array("x".utf8))
        #expect(read("Basic YW46eA")?.name == Array("an".utf8))
        #expect(read("Basic \(encoded("ä:b:c"))")?.password.reveal() == Array("b:c".utf8))
        #expect(read("Basic \(encoded(":"))")?.name.isEmpty == true)
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "Basic", "Basic ", "Bearer YTpi", "BasicYTpi", "Basic YWI=", "Basic Y", "Basic YTpi=", "Basic YT=pi",
            "Basic !!!!", "Basic YW46eA===", "Basic \(encoded("a:\0"))", "Basic YTpi, Basic YTpi",
            "Basic " + String(repeating: "A", count: 2000),
        ])
    func bad(value: String) {
        #expect(read(value) == nil)
    }

    @Test("every byte comes back")
    func roundTrip() {
        for count in 0...70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect(Base64.decode(Data(bytes).base64EncodedString().utf8) == bytes)
        }
    }
}
