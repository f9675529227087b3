// Queue kind rows: keyed queues, semaphores and resource pools.

import Futures

/// Operations of keyed queues, semaphores and resource pools. The time of each should not depend on the number of
/// waiting operations.
let queueKindRows = lengths.map(keysRow) + lengths.map(permitsRow) + lengths.map(poolRow)

private let lengths = [1000, 10_000, 100_000]

/// Returns a row with an operation for each of `count` keys, all of which wait behind one operation.
private func keysRow(_ count: Int) -> Row {
    Row(
        name: "KeyedFutureQueue, \(count.short) keys waiting behind one", operations: count,
        series: "KeyedFutureQueue, waiting",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let (queue, gate) = (KeyedFutureQueue<Int>(maxConcurrentCount: 1), Promise<Int>())
                    escape(gate)
                    queue[-1].on(.immediate).enqueue { gate.future }
                    for key in 0..<count { queue[key].on(.immediate).enqueue { Future(1) } }
                    gate.succeed(0)
                    precondition(queue.keyCount == 0)
                }
            }
        ])
}

/// Returns a row of permits that are waited for, granted and released.
private func permitsRow(_ count: Int) -> Row {
    Row(
        name: "FutureSemaphore, \(count.short) waiting behind one", operations: count,
        series: "FutureSemaphore, waiting",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let (semaphore, gate) = (FutureSemaphore(count: 1), Promise<Int>())
                    escape(gate)
                    semaphore.on(.immediate).enqueue { gate.future }
                    for _ in 0..<count { semaphore.acquire().onValue(on: .immediate) { $0.release() } }
                    gate.succeed(0)
                    precondition(semaphore.runningCount == 0)
                }
            }
        ])
}

/// Returns a row of operations that wait for the only resource of a pool.
private func poolRow(_ count: Int) -> Row {
    Row(
        name: "ResourcePool, \(count.short) waiting behind one", operations: count, series: "ResourcePool, waiting",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let gate = Promise<Int>()
                    let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
                    escape(gate)
                    pool.on(.immediate).enqueue { _ in gate.future }
                    for _ in 0..<count { pool.on(.immediate).enqueue { Future($0) } }
                    gate.succeed(0)
                    precondition(pool.runningCount == 0)
                }
            }
        ])
}
