// Fetch errors: the delays that servers request.

import Testing

@testable import linkcheck

struct FetchErrorTests {
    @Test func `a server can request a delay before a retry`() {
        #expect(FetchError.status(503, retryAfter: .seconds(5)).retryAfter == .seconds(5))
        #expect(FetchError.status(503).retryAfter == nil)
        #expect(FetchError.redirectLoop.retryAfter == nil)
        #expect(!FetchError.refused(429, pause: .seconds(5)).isTransient)
    }
}
