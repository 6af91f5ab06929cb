import Testing

@testable import Admin

@Suite struct AdminReloadTests {
    private func text(_ reload: AdminReload) -> String? {
        guard case .json(let value) = reload.answer.content else { return nil }
        return value.text
    }

    @Test("what changed, and what an operator should read, stands in the answer")
    func done() {
        let reload = AdminReload.done(changed: ["providers", "log"], warnings: ["look at this"])
        #expect(reload.answer.status == 200)
        #expect(text(reload) == #"{"reloaded":true,"changed":["providers","log"],"warnings":["look at this"]}"#)
        #expect(text(.done(changed: [], warnings: [])) == #"{"reloaded":true,"changed":[],"warnings":[]}"#)
    }

    @Test("a refusal is 409 and has each fault by itself, and all of them in one sentence")
    func refused() {
        let reload = AdminReload.refused(["first", "second"])
        #expect(reload.answer.status == 409)
        #expect(
            text(reload)
                == #"{"error":"settings_refused","message":"the old settings hold: first; second","faults":["first","second"]}"#
        )
    }
}
