import Telemetry
import Testing
import WAFTokens

@testable import Admin

@Suite struct ReadinessTests {
    private func provider(_ name: String, fails: Bool = false) async throws -> WAFTokenProvider {
        let provider = try WAFTokenProvider(
            WAFConfiguration(domainName: "shop.test"), source: CountingSource(fails: fails), name: name)
        _ = await provider.refresh(within: fails ? .milliseconds(200) : .seconds(60))
        return provider
    }

    @Test("ready is who listens and whose providers all have a token, or need none now")
    func ready() async throws {
        let good = await (try provider("good")).status()
        let bad = await (try provider("bad", fails: true)).status()
        let answer = Readiness(isListening: true, [good]).answer
        #expect(answer.status == 200)
        #expect(
            answer.json?.text
                == #"{"ready":true,"conditions":{"listener":true,"ca":true,"token":{"good":true}}}"#)
        let mixed = Readiness(isListening: true, [good, bad]).answer
        #expect(mixed.status == 503)
        #expect(mixed.json?.text.hasSuffix(#""token":{"good":true,"bad":false}}}"#) == true)
        #expect(Readiness(isListening: false, [good]).answer.status == 503)
        #expect(Readiness(isListening: true, []).answer.status == 200)
    }
}
