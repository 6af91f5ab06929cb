import HTTP
import Testing

@testable import Emulator

@Suite struct ScheduleTests {
    @Test("Every fifth request is challenged even with a good token, the next one passes")
    func everyFifth() {
        var rig = StateRig()
        #expect(rig.control(.put, "/v1/schedule", #"{"schedule":[{"action":"challenge","every":5}]}"#).status == 200)
        let token = rig.token()
        let verdicts = (1...11).map { _ in rig.receive(token).verdict }
        #expect(verdicts.map { $0 == .challenge } == (1...11).map { $0 % 5 == 0 })
        #expect(rig.state.records.records().filter { $0.decision.isForced }.map(\.number) == [5, 10])
        #expect(rig.state.records.records()[4].decision.token == .expired)
    }

    @Test("CAPTCHA from request 100: an ordinary token no longer helps, one with a CAPTCHA time does")
    func captchaFrom() {
        var rig = StateRig()
        rig.control(.put, "/v1/schedule", #"{"schedule":[{"action":"captcha","from":100,"to":102}]}"#)
        let token = rig.token()
        let verdicts = (1...101).map { _ in rig.receive(token).verdict }
        #expect(verdicts.firstIndex(of: .captcha) == 99)
        #expect(verdicts.filter { $0 == .captcha }.count == 2)
        #expect(rig.receive(rig.token(captchaAge: 0)).verdict == .accepted)
        #expect(rig.receive(token).verdict == .accepted, "request 103 is after the range")
    }

    @Test("Expire now: tokens made before are expired, later ones are good")
    func expireNow() {
        var rig = StateRig()
        let old = rig.token()
        #expect(rig.receive(old).token == .accepted)
        rig.control(.put, "/v1/schedule", #"{"expireNow":true}"#)
        #expect(rig.receive(old).token == .expired)
        #expect(rig.receive(rig.token()).token == .accepted)
    }

    @Test("Entries: the first that covers a request holds; counting begins anew with every schedule")
    func entries() {
        var schedule = Schedule([
            .init(action: .block, every: 3, isForced: true),
            .init(action: .captcha, every: nil, from: 2, to: 3, isForced: false),
        ])
        #expect((1...6).map { _ in schedule.next()?.action } == [nil, .captcha, .block, nil, nil, .block])
        #expect(schedule.count == 6)
    }
}
