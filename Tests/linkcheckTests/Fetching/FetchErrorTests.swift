// Fetch errors: the delays that servers request.

import Testing

@testable import linkcheck

struct FetchErrorTests {
    @Test func `a server can request a longer delay, up to a limit`() {
        #expect(FetchError.status(503, retryAfter: .seconds(5)).retryAfter == .seconds(5))
        #expect(FetchError.status(503, retryAfter: .seconds(4000)).retryAfter == .seconds(60))
        #expect(FetchError.status(503).retryAfter == nil)
        #expect(FetchError.redirectLoop.retryAfter == nil)
    }
}
