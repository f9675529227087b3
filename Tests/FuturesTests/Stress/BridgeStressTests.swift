// Dispatch and deferreds under threads: cancels, and concurrent resolves.

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
                let future = Future(on: scheduler) {
                    begun.up()
                    return round
                }
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

    @Suite struct Deferreds {
        @Test func `of concurrent resolves of a run one is called, even if a cancel races with them`() {
            rounds.rounds { random, _ in
                let (asked, heard) = (AtomicCounter(), AtomicCounter())
                let resolver = Shared<(@Sendable (() throws -> Int) -> Void)?>(nil)
                let end = Deferred<Int>.future { resolve in resolver.value = resolve }
                    .start(on: .immediate).always(on: .immediate) { heard.up() }
                let cancels = random.next() % 2 == 0
                race { thread in
                    if thread == 3, cancels { return _ = end.cancel() }
                    let resolve = resolver.value
                    resolve? {
                        asked.up()
                        if thread == 0 { throw Oops(0) }
                        return thread
                    }
                }
                _ = resolver.change { $0.take() }
                #expect(asked.value == 1 && heard.value == 1)
                #expect(
                    (1...3).contains(end.success ?? -1) || end.error as? Oops == Oops(0) || cancels && end.isCancelled)
            }
        }
    }
}
