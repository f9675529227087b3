// The embedded site has the planted faults.

import Futures
import Testing

@testable import linkcheck

@MainActor
struct EmbeddedSiteTests {
    @Test func `a check finds each planted fault, and nothing else`() async throws {
        let embedded = try EmbeddedSite()
        defer { embedded.stop() }
        let checker = Checker(options: .quick, names: embedded.names)
        try await checker.check([.site(embedded.address)]).value
        #expect(checker.report.findings == Planted.report.findings)
        #expect(checker.report.retries == Planted.report.retries)
        #expect(checker.report.redirects == Planted.report.redirects)
    }
}
