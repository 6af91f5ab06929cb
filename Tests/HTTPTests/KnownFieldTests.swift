import Testing

@testable import HTTP

struct KnownFieldTests {
    private static let all = KnownField.allCases.filter { $0 != .other }

    @Test("Every name is recognised, whatever its case", arguments: all)
    func recognised(_ known: KnownField) {
        let name = "\(known.name)"
        #expect(KnownField(bytes(name).span) == known)
        #expect(KnownField(bytes(name.uppercased()).span) == known)
        #expect(KnownField(bytes(name + "x").span) == .other)
        #expect(KnownField(bytes(String(name.dropLast()) + "\u{1}").span) == .other)
        #expect(name == name.lowercased())
    }

    @Test("Other names are other", arguments: ["", "t", "x-one", "hosts", "x-amzn-waf-actiox"])
    func others(_ name: String) { #expect(KnownField(bytes(name).span) == .other) }

    @Test("Every name has a bit of its own")
    func masks() {
        #expect(KnownField.allCases.count <= 64)
        #expect(Set(KnownField.allCases.map(\.mask)).count == KnownField.allCases.count)
    }
}
