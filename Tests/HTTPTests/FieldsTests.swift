import HTTP
import Testing

struct FieldsTests {
    private func sample() throws -> Fields {
        try fields(["Host:a", "X-One:  1 ", "Cookie: a=b", "x-one: 2", "cookie: c"])
    }

    @Test("Fields are found by what they are and by name, whatever their case")
    func finds() throws {
        let fields = try sample()
        #expect(fields.index(of: .cookie) == 2)
        #expect(fields.index(of: .cookie, from: 3) == 4)
        #expect(fields.index(of: .cookie, from: 5) == nil)
        #expect(fields.index(of: .via) == nil)
        #expect(fields.index(ofName: "x-one") == 1)
        #expect(fields.index(ofName: "x-one", from: 2) == 3)
        #expect(fields.index(ofName: "x-two") == nil)
        #expect(fields.known(0) == .host)
        #expect(fields.known(1) == .other)
    }

    @Test("A new value leaves name and place as they are, and other fields untouched")
    func replaces() throws {
        var fields = try sample()
        fields.replaceValue(at: 1, with: bytes("new").span)
        fields.replaceValue(at: 4, with: bytes("").span)
        #expect(lines(fields) == ["Host:a", "X-One: new", "Cookie: a=b", "x-one: 2", "cookie: "])
        #expect(fields.known(4) == .cookie)
    }

    @Test("Fields are added at the end and in between")
    func adds() throws {
        var fields = try sample()
        fields.append(name: bytes("viA").span, value: bytes("1.1 x").span)
        fields.append("Date", "today")
        fields.insert(name: "Te", value: bytes("trailers").span, at: 0)
        #expect(
            lines(fields) == [
                "Te: trailers", "Host:a", "X-One:  1 ", "Cookie: a=b", "x-one: 2", "cookie: c", "viA: 1.1 x",
                "Date: today",
            ])
        #expect(fields.index(of: .te) == 0)
        #expect(fields.index(of: .via) == 6)
        #expect(fields.index(of: .date) == 7)
    }

    @Test("Fields are removed singly, by what they are, and all")
    func removes() throws {
        var fields = try sample()
        fields.remove(at: 1)
        #expect(lines(fields) == ["Host:a", "Cookie: a=b", "x-one: 2", "cookie: c"])
        fields.removeAll(.cookie)
        fields.removeAll(.via)
        #expect(lines(fields) == ["Host:a", "x-one: 2"])
        #expect(fields.index(of: .cookie) == nil)
        fields.removeAll()
        #expect(fields.count == 0)
        #expect(fields.index(of: .host) == nil)
        fields.append("Host", "b")
        #expect(lines(fields) == ["Host: b"])
    }

    @Test("A copy does not see what becomes of the original")
    func copies() throws {
        var fields = try sample()
        let copy = fields
        fields.removeAll()
        fields.append("A", "b")
        #expect(copy.count == 5)
        #expect(text(copy.line(0)) == "Host:a")
    }
}
