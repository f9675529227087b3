// Steps that wait for a future that never completes, under threads.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Never {
        @Test func `a step can be cancelled while it begins to wait for a future that never completes`() {
            let tally = Tally()
            (rounds * 20).rounds { random, _ in
                let promise = Promise<Int>()
                // A result that may be released early, as a repetition would run the step again.
                let future = promise.future.map(on: .immediate) { _ in tally.token() }
                    .flatMap(on: .immediate) { _ in Future<Int>.never }
                race(2, within: .microseconds(2), &random) { thread in
                    if thread == 0 { future.cancel() } else { promise.succeed(1) }
                }
                #expect(future.isCancelled)
            }
            expectSoon { tally.count == 0 }
        }
    }
}
