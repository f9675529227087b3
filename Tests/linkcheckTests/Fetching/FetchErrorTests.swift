// FetchErrorTests: what a failed request asks for.

import Testing

@testable import linkcheck

struct FetchErrorTests {
    @Test func `a server may ask for more time, within reason`() {
        #expect(FetchError.status(503, retryAfter: .seconds(5)).retryAfter == .seconds(5))
        #expect(FetchError.status(503, retryAfter: .seconds(4000)).retryAfter == .seconds(60))
        #expect(FetchError.status(503).retryAfter == nil)
        #expect(FetchError.redirectLoop.retryAfter == nil)
    }
}
