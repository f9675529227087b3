// propagating: queues, repetitions and timers.

import Futures
import Testing

@Suite struct CarryingPathsTests {
    @Test func `an operation of a queue has the values of the code that enqueued it`() async {
        await #expect(processExitsWith: .success) {
            let gate = Promise<Void>()
            let (queue, keyed) = (FutureQueue(), KeyedFutureQueue<Int>())
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, create: { Future(1) })
            // They let all others wait.
            queue.on(.immediate).enqueue { gate.future }
            keyed[1].on(.immediate).enqueue { gate.future }
            pool.on(.immediate).enqueue { _ in gate.future }
            func enqueue(_ id: String) -> [Future<String>] {
                Request.with(id) {
                    [
                        queue.on(.background).enqueue { Future(Request.id) }, queue.enqueue { Future(Request.id) },
                        queue.run { Request.id }, queue.on(.background).run { Request.id },
                        queue.enqueueBatch { $0.on(.background).enqueue { Future(Request.id) } },
                        keyed[1].on(.background).enqueue { Future(Request.id) },
                        pool.on(.background).enqueue { _ in Future(Request.id) },
                    ]
                }
            }
            let all = ["1", "2", "3"].map { (id: $0, futures: enqueue($0)) }
            gate.succeed()
            for (id, futures) in all {
                for (index, future) in futures.enumerated() {
                    let found = await future.found
                    #expect(found == id, "operation \(index)")
                }
            }
        }
    }

    @Test func `a repetition has the values of what it repeats`() async {
        await #expect(processExitsWith: .success) {
            let (queue, seen) = (FutureQueue(), Log<String>())
            let made = Request.with("made") {
                queue.on(.background).enqueue { () -> Future<Int> in
                    seen.add("operation \(Request.id)", returning: Future(error: Oops(1)))
                }.recover(on: .background) { error in
                    seen.add("step \(Request.id)")
                    throw error
                }
            }
            let repetition = Request.with("repeated") {
                made.onErrorRepeat(on: .background, delayBetweenRepetitions: .milliseconds(1), maxRepetitions: 2) { _ in
                    seen.add("predicate \(Request.id)", returning: true)
                }
            }
            #expect(await repetition.found == nil)
            for (word, count) in [("operation made", 3), ("step made", 3), ("predicate repeated", 2)] {
                #expect(seen.entries.count { $0 == word } == count, "\(seen.entries)")
            }
        }
    }
}
