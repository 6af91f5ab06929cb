import Testing

@testable import HTTP

@Suite("Fields")
struct FieldsTests {
    @Test("every known name is recognised, whatever its case, and nothing near it")
    func knownNames() {
        for known in KnownField.allCases where known != .other {
            let name = "\(known.name)"
            for spelling in [name, name.uppercased(), name.prefix(1).uppercased() + name.dropFirst()] {
                #expect(KnownField(bytes(spelling).span) == known)
            }
            for near in [
                name + "x", "x" + name, String(name.dropLast()), String(name.dropFirst()),
                name.replacing("-", with: "_") + "_",
            ] {
                #expect(KnownField(bytes(near).span) != known)
            }
        }
        #expect(KnownField(bytes("").span) == .other)
        #expect(KnownField(bytes("CO\u{f}KIE").span) == .other)
    }

    @Test("fields that are appended read back, and are written as `Name: value`")
    func appending() {
        var fields = Fields()
        fields.append("Host", "a")
        fields.append(name: bytes("cOOkie").span, value: bytes("b=c").span)
        fields.append("Empty", "")
        #expect(lines(of: fields) == ["Host: a", "cOOkie: b=c", "Empty: "])
        #expect(latin1(fields.name(1)) == "cOOkie")
        #expect(latin1(fields.value(1)) == "b=c")
        #expect(latin1(fields.value(2)) == "")
        #expect(fields.known(0) == .host)
        #expect(fields.known(1) == .cookie)
        #expect(fields.index(of: .cookie) == 1)
        #expect(fields.index(of: .cookie, from: 2) == nil)
        #expect(fields.index(of: .via) == nil)
        #expect(fields.index(ofName: "empty") == 2)
    }

    @Test("a value is replaced in its place; the name and the blanks before the value stay")
    func replacing() {
        var edited = fields("A: 1", "hOsT:   old \t", "C:3")
        edited.replaceValue(at: 1, with: bytes("new").span)
        #expect(lines(of: edited) == ["A: 1", "hOsT:   new", "C:3"])
        let nothing: [UInt8] = []
        edited.replaceValue(at: 2, with: nothing.span)
        edited.replaceValue(at: 1, with: bytes("newer and longer").span)
        #expect(lines(of: edited) == ["A: 1", "hOsT:   newer and longer", "C:"])
        #expect(latin1(edited.value(1)) == "newer and longer")
        #expect(latin1(edited.name(1)) == "hOsT")
    }

    @Test("fields are inserted and removed at a place")
    func insertingAndRemoving() {
        var edited = fields("A: 1", "B: 2", "Via: x", "C: 3", "via: y")
        edited.insert(name: "Host", value: bytes("h").span, at: 0)
        edited.insert(name: bytes("Z").span, value: bytes("z").span, at: 6)
        edited.remove(at: 2)
        #expect(lines(of: edited) == ["Host: h", "A: 1", "Via: x", "C: 3", "via: y", "Z: z"])
        edited.removeAll(.via)
        #expect(lines(of: edited) == ["Host: h", "A: 1", "C: 3", "Z: z"])
        #expect(edited.index(of: .via) == nil)
        edited.removeAll()
        #expect(edited.count == 0)
        #expect(edited.index(of: .host) == nil)
    }

    @Test("memory is kept for the next head, but not that of a huge one")
    func keptMemory() {
        var usual = fields("Host: a")
        let room = usual.bytes.capacity
        usual.removeAll()
        #expect(usual.bytes.capacity == room)
        var huge = fields("X: " + String(repeating: "x", count: 100_000))
        for _ in 0..<1000 { huge.append("A", "b") }
        huge.removeAll()
        #expect(huge.bytes.capacity <= Fields.keptBytes && huge.entries.capacity <= Fields.keptEntries)
    }

    @Test("a copy does not change with the original")
    func copies() {
        var original = fields("Host: a")
        let copy = original
        original.replaceValue(at: 0, with: bytes("b").span)
        original.append("X", "y")
        #expect(lines(of: copy) == ["Host: a"])
    }

    @Test("list elements are found over several fields, whatever their case and blanks")
    func lists() {
        let parsed = fields("Connection: a ,, b\t,\tKeep-Alive", "connection:Close", "Connection:")
        for element in ["a", "b", "keep-alive", "close"] as [StaticString] {
            #expect(parsed.list(.connection, contains: element))
        }
        for element in ["", "c", "keep", "alive", "a ,, b"] as [StaticString] {
            #expect(!parsed.list(.connection, contains: element))
        }
        #expect(!parsed.list(.upgrade, contains: "a"))
    }
}
