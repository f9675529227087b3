// isTimeout: errors that mean that a time limit has passed. Contract/Time.md

import Futures
import Testing

@Suite struct IsTimeoutTests {
    @Test func `an error tells whether it means that a time limit has passed`() {
        let late: [any Error] = [
            FutureError.timedOut(after: .seconds(1), origin: .init()), QueueError.waitTimedOut(after: .seconds(1)),
            QueueError.runTimedOut(after: .seconds(1)), AwaitError.timedOut(identifier: "a"),
        ]
        for error in late { #expect(error.isTimeout, "\(error)") }
        let others: [any Error] = [FutureError.noFutures, QueueError.closed, CancellationError(), Oops()]
        for error in others { #expect(!error.isTimeout, "\(error)") }
    }
}
