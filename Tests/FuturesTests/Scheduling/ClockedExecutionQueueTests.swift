// Schedulers of queues that have their own notion of time. Contract/Schedulers.md

import Futures
import Testing

@Suite struct ClockedExecutionQueueTests {
    private let clock = ManualQueue()
    private var scheduler: Scheduler { Scheduler(queue: clock) }

    @Test func `a queue's clock measures the delays and timeouts on its scheduler`() {
        let scheduler = scheduler
        let promise = Promise<Int>()
        let late = promise.future.timeout(after: .seconds(30), on: scheduler)
        let delayed = Future(1).delay(by: .seconds(20), on: scheduler)
        let start = scheduler.now
        clock.advance(by: .seconds(19))
        #expect(!delayed.isCompleted && !late.isCompleted)
        clock.advance(by: .seconds(1))
        #expect(delayed.isCompleted && !late.isCompleted)
        clock.advance(by: .seconds(10))
        #expect(late.error?.timeLimit == .seconds(30))
        #expect(scheduler.now == start + .seconds(30))
    }
}
