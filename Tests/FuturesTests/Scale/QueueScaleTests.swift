// Many keys, aborts, producers and nested operations: constant time each.

import Futures
import Synchronization
import Testing

extension ScaleTests {
    @Suite(.serialized) struct LargeQueueTests {
        private let count = scaled(100_000)

        @Test func `100 000 operations of as many keys wait behind one, in constant time each`() {
            let slowdown = slowdown(ofTenTimes: count / 10) { count in time { runKeys(count) } }
            #expect(slowdown < flat)
            let count = count
            onSmallStack { runKeys(count) }
        }

        private func runKeys(_ count: Int) {
            let queue = KeyedFutureQueue<Int>(maxConcurrentCount: 1)
            let gate = Promise<Int>()
            let runs = Atomic<Int>(0)
            queue[-1].on(.immediate).enqueue { gate.future }
            for key in 0..<count {
                queue[key].on(.immediate).enqueue { Future(runs.add(1, ordering: .relaxed).newValue) }
            }
            #expect(queue.keyCount == count + 1)
            gate.succeed(0)
            #expect(runs.load(ordering: .relaxed) == count)
            #expect(queue.keyCount == 0)
        }

        @Test func `a million keys are used, and retain no memory`() {
            let count = scaled(1_000_000)
            let queue = KeyedFutureQueue<Int>()
            queue[0].on(.immediate).enqueue { Future(0) }
            let growth = growth { _ in
                // In sequence, and all at the same time.
                for key in 0..<count { queue[key].on(.immediate).enqueue { Future(key) } }
                let gate = Promise<Int>()
                for key in 0..<count / 4 { queue[key].on(.immediate).enqueue { gate.future } }
                gate.succeed(1)
            }
            #expect(queue.keyCount == 0)
            #expect(growth < 4 << 20)
        }

        @Test func `100 000 operations are aborted in constant time each, on a small stack`() {
            let slowdown = slowdown(ofTenTimes: count / 10) { count in time { abort(count) } }
            #expect(slowdown < flat)
            let count = count
            onSmallStack { abort(count) }
        }

        private func abort(_ count: Int) {
            let queue = FutureQueue(maxConcurrentCount: max(1, count / 2))
            let heard = Atomic<Int>(0)
            for _ in 0..<count {
                queue.on(.immediate).enqueue { Future<Int>.never }
                    .onError(on: .immediate) { _ in heard.add(1, ordering: .relaxed) }
            }
            queue.cancelAll()
            #expect(heard.load(ordering: .relaxed) == count)
            #expect(queue.isEmpty)
        }

        @Test func `100 000 waits for capacity or for an empty queue complete in constant time each`() {
            let slowdown = slowdown(ofTenTimes: count / 10) { count in
                time {
                    let queue = FutureQueue(maxWaitingCount: 1)
                    let gate = Promise<Int>()
                    let heard = Atomic<Int>(0)
                    for _ in 0..<2 { queue.on(.immediate).enqueue { gate.future } }
                    for _ in 0..<count {
                        queue.capacityAvailable().onValue(on: .immediate) { _ in heard.add(1, ordering: .relaxed) }
                        queue.drained().onValue(on: .immediate) { heard.add(1, ordering: .relaxed) }
                    }
                    gate.succeed(1)
                    #expect(heard.load(ordering: .relaxed) == 2 * count)
                }
            }
            #expect(slowdown < flat)
        }

        @Test func `10 000 nested batches end on a small stack`() {
            let count = scaled(1_000_000) / 100
            onSmallStack {
                let queue = FutureQueue()
                let gate = Promise<Int>()
                let depth = Atomic<Int>(0)
                @Sendable func nest(_ queue: FutureQueue<Void>) -> Future<Int> {
                    guard depth.add(1, ordering: .relaxed).newValue < count else { return gate.future }
                    queue.on(.immediate).batch().enqueue { nest($0) }
                    return gate.future
                }
                let all = queue.on(.immediate).batch().enqueue { nest($0) }
                #expect(!all.isCompleted)
                gate.succeed(1)
                #expect(all.isCompleted)
                #expect(queue.isEmpty)
            }
        }
    }
}
