import Glibc
import Testing

@testable import EventLoop

/// The limit is the whole process's, which other tests share: nothing here lowers it. What `exec` gives to its command is
/// seen from outside, in the end-to-end tests.
@Suite struct DescriptorLimitTests {
    private func limit() -> rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }

    @Test func `the soft limit never goes above the hard one, which stays`() {
        let before = limit()
        let raised = DescriptorLimit.raise()
        #expect(raised > 0)
        #expect(rlim_t(raised) <= before.rlim_max)
        #expect(limit().rlim_max == before.rlim_max)
    }

    @Test func `a wish below what there is lowers nothing`() {
        let highest = DescriptorLimit.raise()
        #expect(DescriptorLimit.raise(to: DescriptorLimit.least) >= min(highest, DescriptorLimit.least))
    }
}
