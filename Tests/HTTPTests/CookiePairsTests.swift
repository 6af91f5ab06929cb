import Testing

@testable import HTTP

struct CookiePairsTests {
    @Test(
        "A pair is deleted with its separator, and no other byte is",
        arguments: [
            ("t=1", ""), ("t", ""), ("t=", ""), ("t=1;", ""), ("t=1; ", ""), (";t=1", ""), (" t = 1 ", ""),
            ("a=b", "a=b"), ("", ""), (";", ";"), ("a=b;", "a=b;"), ("a; ; b", "a; ; b"),
            ("t=1; a=b", "a=b"), ("a=b; t=1", "a=b"), ("a=b; t=1; c=d", "a=b; c=d"), ("a=b;t=1;c=d", "a=b;c=d"),
            ("t=1; t=2", ""), ("t=1; a=b; t=2; c=d; t=3", "a=b; c=d"), ("t=1;t=2;a", "a"), ("a; t=1; t=2", "a"),
            ("t=1;  a=b", " a=b"), ("a=b ;t=1", "a=b "), ("a=b;  t=1;  c=d", "a=b;  c=d"), ("a=b; t=1;", "a=b; "),
            ("a=b;\tt=1; c", "a=b;c"), ("a=b;;t=1;;c=d", "a=b;;;c=d"), ("t=1;;", ";"), ("  t=1;a", "a"),
            ("a=\"x; t=1; y\"; t=2", "a=\"x; y\""), ("a=\"t=1\"", "a=\"t=1\""), ("\"t\"=1", "\"t\"=1"),
            ("T=1; tt=2; xt=3; a=t; t-=4", "T=1; tt=2; xt=3; a=t; t-=4"), ("a=b; t=x=y==; c", "a=b; c"),
            ("a=\u{e9}\u{80}; t=\u{ff}; b=,", "a=\u{e9}\u{80}; b=,"),
        ])
    func deletes(_ value: String, _ left: String) {
        var out = bytes("out ")
        CookiePairs.append(allBut: "t", of: bytes(value).span, to: &out)
        #expect(text(out) == "out " + left)
    }

    @Test(
        "A name is found exactly, whatever blanks are around it",
        arguments: [
            ("t=1", true), ("a; t", true), ("a;\t t =1", true), ("T=1", false), ("a=t", false), ("", false),
            ("tt=1", false), ("a=\"; t=1\"", true),
        ])
    func contains(_ value: String, _ doesContain: Bool) {
        #expect(CookiePairs.contains("t", in: bytes(value).span) == doesContain)
    }
}
