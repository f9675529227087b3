// Dispatch under threads: cancels.

import Dispatch
import Foundation
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Bridges {
        @Test func `an operation that is cancelled while its queue starts it runs at most once`() {
            let queue = DispatchQueue(label: "queue")
            let scheduler = Scheduler(queue: queue)
            rounds.rounds { random, round in
                let (begun, ends) = (AtomicCounter(), AtomicCounter())
                queue.suspend()
                let future = Future(
                    on: scheduler,
                    immediate: {
                        begun.up()
                        return round
                    })
                let end = future.always(on: .immediate) { ends.up() }
                race(3, within: .microseconds(20), &random) { thread in
                    switch thread {
                    case 0: end.cancel()
                    case 1: future.cancel()
                    default: queue.resume()
                    }
                }
                queue.sync {}
                #expect(future.isCompleted && end.isCompleted && ends.value == 1)
                #expect(begun.value == 1 || begun.value == 0 && future.isCancelled)
            }
        }

    }
}
