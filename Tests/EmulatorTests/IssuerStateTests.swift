import HTTP
import Testing

@testable import Emulator

@Suite struct IssuerStateTests {
    private func token(_ answer: IssuerAnswer) -> [UInt8]? {
        guard case .respond(200, let body, _) = answer, let text = body["token"]?.string else { return nil }
        return [UInt8](text)
    }

    @Test("ok: a new token each time, good for the origin, with its life")
    func ok() throws {
        var rig = StateRig()
        let first = rig.state.issue(domain: nil, wallMsec: rig.wallMsec)
        let second = rig.state.issue(domain: "shop.test", wallMsec: rig.wallMsec)
        #expect(token(first) != token(second))
        #expect(rig.receive(token(first)).token == .accepted)
        #expect(rig.receive(token(second)).token == .accepted)
        #expect(rig.receive(token(second), host: "other.test").token == .domainMismatch)
        guard case .respond(_, let body, 0) = first else { return #expect(Bool(false)) }
        #expect(body["expiresIn"] == 300)
        rig.wallMsec += 301_000
        #expect(rig.receive(token(first)).token == .expired)
    }

    @Test("Time travel of the origin covers the issuer: tokens made afterwards are good")
    func timeTravel() {
        var rig = StateRig()
        let before = token(rig.state.issue(domain: nil, wallMsec: rig.wallMsec))
        rig.control(.put, "/v1/clock", #"{"offsetSec":301}"#)
        #expect(rig.receive(before).token == .expired)
        #expect(rig.receive(token(rig.state.issue(domain: nil, wallMsec: rig.wallMsec))).token == .accepted)
    }

    @Test("The other modes")
    func modes() {
        var rig = StateRig()
        func issue(_ settings: String) -> IssuerAnswer {
            #expect(rig.control(.put, "/v1/issuer", settings).status == 200, "\(settings)")
            return rig.state.issue(domain: nil, wallMsec: rig.wallMsec)
        }
        guard case .respond(200, _, 250) = issue(#"{"mode":"delay","delayMsec":250}"#) else {
            return #expect(Bool(false))
        }
        #expect(issue(#"{"mode":"hang"}"#) == .hang)
        #expect(issue(#"{"mode":"reset"}"#) == .reset)
        let refused = issue(#"{"mode":"status","status":503}"#)
        guard case .respond(503, _, 0) = refused else { return #expect(Bool(false)) }
        #expect(token(refused) == nil)
        #expect(
            issue(#"{"mode":"noToken","expiresInSec":9}"#)
                == .respond(status: 200, body: ["expiresIn": 9], afterMsec: 0))
        let corrupt = [token(issue(#"{"mode":"corrupt"}"#)), token(issue(#"{"mode":"corrupt"}"#))]
        #expect(corrupt[0] != corrupt[1])
        #expect(rig.receive(corrupt[0]).token == .invalid)
        #expect(token(issue(#"{"mode":"ok","tokenLength":4096}"#)).map { $0.count > 4090 } == true)
        #expect(rig.receive(token(issue(#"{"captchaSolved":true}"#))).token == .accepted)
        let modes = rig.state.issuerCalls.map(\.mode)
        #expect(modes == [.delay, .hang, .reset, .status, .noToken, .corrupt, .corrupt, .ok, .ok])
        #expect(rig.state.issuerCalls.map(\.status) == [200, nil, nil, 503, 200, 200, 200, 200, 200])
    }

    @Test("fail: so many times, then well again")
    func fail() {
        var rig = StateRig()
        rig.control(.put, "/v1/issuer", #"{"mode":"fail","failures":2,"status":500}"#)
        let answers = (0..<4).map { _ in token(rig.state.issue(domain: nil, wallMsec: rig.wallMsec)) != nil }
        #expect(answers == [false, false, true, true])
    }

    @Test("same: the last token once more, with what is left of its life")
    func same() {
        var rig = StateRig()
        let first = token(rig.state.issue(domain: nil, wallMsec: rig.wallMsec))
        rig.control(.put, "/v1/issuer", #"{"mode":"same"}"#)
        rig.wallMsec += 40_000
        let again = rig.state.issue(domain: nil, wallMsec: rig.wallMsec)
        #expect(token(again) == first)
        guard case .respond(200, let body, 0) = again else { return #expect(Bool(false)) }
        #expect(body["expiresIn"] == 260)
        #expect(token(rig.state.issue(domain: nil, wallMsec: rig.wallMsec)) == first)
    }
}
