import Telemetry
import Testing

@testable import Credentials

/// The same password in each spelling that is taken: `pass:word`.
let hashes = [
    "$2b$04$YYFgcN7InNDquguwvNBbyOfhFg8j7n20dHz5RSxp56V6qtvNkadY.",
    "$6$rounds=1000$sXSYvAIdavrR1ZQb$W5akufY0gAxSVqB3dbt7OuVTNtK8b87sAQmjkx/S6gfOALI/XaZ75POllLsMuqiC9G.NF.Fl90iy87OXjKN2B/",
    "$5$rounds=1000$hJQ7oPLlti/N1ZDI$uzdlhq6l8ezyARZKGQWaIxEB21c3mOufqohYKFbK5E7",
    "$y$j75$abcdefgh$AIFwWbbPP0mk7edGwbwGoG/I1Poo/oo8n.OtCXUoF/6",
]

@Suite struct UserTableTests {
    private func credentials(_ text: String) throws -> BasicCredentials {
        let value = Array("Basic \(encoded(text))".utf8)
        let read = BasicCredentials(value.span)
        return try #require(read)
    }

    @Test("the right password is admitted, whatever crypt made of it, and no other", arguments: hashes)
    func admits(hash: String) throws {
        let table = try UserTable(Array("# people\n\nann:\(hash)\r\n".utf8))
        #expect(table.count == 1)
        #expect(table.admits(try credentials("ann:pass:word")))
        for wrong in ["ann:pass:wor", "ann:pass:word ", "ann:", "bob:pass:word", ":pass:word", "Ann:pass:word"] {
            #expect(!table.admits(try credentials(wrong)), "\(wrong)")
        }
    }

    @Test("bcrypt as htpasswd -B spells it")
    func htpasswd() throws {
        let table = try UserTable(Array(("ann:" + hashes[0].replacing("$2b$", with: "$2y$")).utf8))
        #expect(table.admits(try credentials("ann:pass:word")))
    }

    @Test(
        "weak hashes, plain text and malformed lines are refused with their line, and not shown",
        arguments: [
            ("ann:$1$abcdefgh$maabh0VHqpWomm.MQDFmP1", 1), ("ann:$apr1$x$y", 1), ("ann:{SHA}secret", 1),
            ("ann:secret", 1), ("\nann", 2), (":\(hashes[0])", 1), ("ann:", 1), ("ann:\(hashes[0]):", 1),
            ("ann:$2b$99$YYFgcN7InNDquguwvNBbyOfhFg8j7n20dHz5RSxp56V6qtvNkadY.", 1),
            ("ann:" + hashes[1].replacing("1000$", with: "99999999$"), 1), ("ann:$6$", 1), ("ann:$2b$04$short", 1),
            ("ann:\(hashes[0])\nbob:\(hashes[1])\nann:\(hashes[2])", 3), ("", 0), ("# nobody\n", 0),
        ])
    func faults(content: String, line: Int) throws {
        #expect {
            _ = try UserTable(Array(content.utf8))
        } throws: { error in
            let fault = error as? UserTable.Fault
            return fault?.line == line && fault?.description.contains("secret") == false
        }
    }

    @Test("neither hashes nor passwords can be printed")
    func redacted() throws {
        let table = try UserTable(Array("ann:\(hashes[0])".utf8))
        #expect(!"\(table)".contains("YYFgc") && !String(reflecting: table).contains("YYFgc"))
        #expect(!"\(try credentials("ann:topsecret"))".contains("topsecret"))
    }
}
