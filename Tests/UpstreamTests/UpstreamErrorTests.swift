import Glibc
import Testing

@testable import Upstream

@Suite struct UpstreamErrorTests {
    @Test("errors are equal by code, whatever their sentence")
    func equality() {
        #expect(UpstreamError(.refused, "a") == UpstreamError(.refused, "b"))
        #expect(UpstreamError(.refused, "a") != UpstreamError(.unreachable, "a"))
    }

    @Test("only what failed before the request went out may be retried whatever the method")
    func retry() {
        let safe = UpstreamError.Code.allCases.filter { UpstreamError($0, "").mayRetry }
        #expect(Set(safe) == [.nameNotFound, .refused, .unreachable, .connectTimeout])
    }

    @Test("every code says whose fault it is")
    func side() {
        let client = UpstreamError.Code.allCases.filter { UpstreamError($0, "").side == .client }
        #expect(Set(client) == [.destinationProhibited, .clearTextRefused, .cancelled])
        #expect(UpstreamError(.internal, "").side == .internal)
        #expect(UpstreamError(.bodyBroken, "").side == .upstream)
    }
}
