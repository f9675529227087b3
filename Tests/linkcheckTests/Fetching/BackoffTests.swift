// BackoffTests: the delays between tries.

import Testing

@testable import linkcheck

@MainActor
struct BackoffTests {
    @Test func `delays double up to a minute`() {
        let backoff = Backoff(first: .seconds(10))
        #expect(
            (0..<5).map { _ in backoff.delay() } == [
                .seconds(10), .seconds(20), .seconds(40), .seconds(60), .seconds(60),
            ])
    }

    @Test func `a server may ask for more, within reason`() {
        let backoff = Backoff(first: .seconds(1))
        #expect(backoff.delay(asked: .seconds(5)) == .seconds(5))
        #expect(backoff.delay(asked: .seconds(1)) == .seconds(2))
        #expect(backoff.delay(asked: .seconds(4000)) == .seconds(60))
    }
}
