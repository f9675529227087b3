// Asynchronous operations of queues under threads: never over the limit, nothing lost.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct QueueTasks {
        @Test func `asynchronous operations never run more than allowed, whatever is cancelled`() async {
            await hammer { limit in
                let queue = FutureQueue(maxConcurrentCount: limit)
                return ({ _, body in queue.run(body) }, { queue.isEmpty })
            }
        }

        @Test func `asynchronous operations of a key never run more than allowed, whatever is cancelled`() async {
            await hammer { limit in
                let queue = KeyedFutureQueue<Int>(maxConcurrentCountPerKey: limit)
                return ({ _, body in queue[1].run(body) }, { queue.isEmpty && queue.keyCount == 0 })
            }
        }

        @Test func `asynchronous operations never have more resources than allowed, whatever is cancelled`() async {
            await hammer { limit in
                let pool = ResourcePool(maxCount: limit, callTimeout: testTimeout, on: .immediate) { Future(1) }
                return (
                    { _, body in pool.run { _ in try await body() } },
                    { pool.runningCount == 0 && pool.waitingCount == 0 }
                )
            }
        }

        private typealias Enqueue = @Sendable (Int, @escaping @Sendable () async throws -> Int) -> Future<Int>

        private func hammer(_ make: (Int) -> (Enqueue, () -> Bool)) async {
            var random = SplitMix(.random(in: 0...(.max / 2)))
            for _ in 0..<rounds / 10 {
                let limit = random.next() % 2 == 0 ? 1 : 3
                let (enqueue, isEmpty) = make(limit)
                let (running, excess, ended, begun) = (
                    AtomicCounter(), AtomicCounter(), AtomicCounter(), AtomicCounter()
                )
                let seed = random.next()
                let all = Guarded<[Future<Int>]>([])
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    for index in 0..<10 {
                        let kind = random.next() % 4
                        let future = enqueue(thread) {
                            begun.up()
                            if running.up() > limit { excess.up() }
                            if kind != 0 { await Task.yield() }
                            running.down()
                            ended.up()
                            if kind == 1 { throw Oops() }
                            return index
                        }
                        if kind == 2 { all.with { $0.randomElement(using: &random) }?.cancel() }
                        all.with { $0.append(future) }
                    }
                }
                #expect(await comesTrue { isEmpty() && all.with { $0.allSatisfy { $0.isCompleted } } })
                #expect(excess.value == 0)
                #expect(running.value == 0)
                #expect(begun.value == ended.value)
            }
        }
    }
}
