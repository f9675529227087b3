// Deadlocks of queues, locks and pools that were released while their operations run.

import Futures
import Testing

@Suite struct ReleasedQueueDeadlockTests {
    /// Enqueues operations in a new queue, lock or pool, which is then released. Returns their futures.
    private static let lines: [@Sendable ([@Sendable () -> Future<Int>]) -> [Future<Int>]] = [
        { operations in
            let queue = FutureQueue()
            return operations.map { queue.on(.immediate).enqueue($0) }
        },
        { operations in
            let queue = FutureQueue()
            return operations.map { operation in
                queue.on(.immediate).enqueue {
                    operation()
                } finally: { _, _ in
                    Future()
                }
            }
        },
        { operations in
            let lock = FutureReadWriteLock()
            return operations.map { lock.writing.on(.immediate).enqueue($0) }
        },
        { operations in
            let queue = KeyedFutureQueue<Int>()
            return operations.map { queue[1].on(.immediate).enqueue($0) }
        },
        { operations in
            let pool = ResourcePool<Int>(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
            return operations.map { operation in pool.on(.immediate).enqueue { _ in operation() } }
        },
    ]

    @Test(arguments: 0..<5)
    func `an operation that starts to wait for one behind it fails even if the queue was released`(line: Int) {
        let (gate, second) = (Promise<Void>(), Shared<Future<Int>?>(nil))
        let futures = Self.lines[line]([
            { gate.future.flatMap(on: .immediate) { second.value! } }, { Future(2) },
        ])
        second.value = futures[1]
        #expect(futures.allSatisfy { !$0.isCompleted })
        gate.succeed()
        expectDeadlocks { futures[1].isCompleted }
        #expect(futures[0].error is QueueError)
        #expect(futures[1].isCompleted)
    }

    @Test func `a concurrent queue that was released is deadlocked only when all running operations wait`() {
        let gates = [Promise<Void>(), Promise<Void>()]
        let third = Shared<Future<Int>?>(nil)
        var queue: FutureQueue<Void>? = FutureQueue(maxConcurrentCount: 2)
        let futures = gates.map { gate in
            queue!.on(.immediate).enqueue { gate.future.flatMap(on: .immediate) { third.value! } }
        }
        third.value = queue!.on(.immediate).enqueue { Future(3) }.always(on: .immediate) {}
        queue = nil
        gates[0].succeed()
        lookForDeadlocks()
        #expect(!futures[0].isCompleted)
        gates[1].succeed()
        expectDeadlocks { third.value!.isCompleted }
        #expect(futures.count { $0.error is QueueError } == 1)
        #expect(third.value!.isCompleted)
    }
}
