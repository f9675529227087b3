// Queue rows: the other kinds of queues.

import Futures

/// Operations of queues with keys, of semaphores and of pools, which take the same time however many wait.
let queueKindRows = lengths.map(keysRow) + lengths.map(permitsRow) + lengths.map(poolRow)

private let lengths = [1000, 10_000, 100_000]

/// An operation for each of so many keys, all of which wait behind one.
private func keysRow(_ count: Int) -> Row {
    Row(
        name: "KeyedFutureQueue, \(count.short) keys waiting behind one", operations: count,
        series: "KeyedFutureQueue, waiting",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let (queue, gate) = (KeyedFutureQueue<Int>(maxConcurrentCount: 1), Promise<Int>())
                    escape(gate)
                    queue.enqueue(on: .immediate, for: -1) { gate.future }
                    for key in 0..<count { queue.enqueue(on: .immediate, for: key) { Future(1) } }
                    gate.succeed(0)
                    precondition(queue.keyCount == 0)
                }
            }
        ])
}

/// Permits that are waited for, handed out and released.
private func permitsRow(_ count: Int) -> Row {
    Row(
        name: "FutureSemaphore, \(count.short) waiting behind one", operations: count,
        series: "FutureSemaphore, waiting",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let (semaphore, gate) = (FutureSemaphore(count: 1), Promise<Int>())
                    escape(gate)
                    semaphore.enqueue(on: .immediate) { gate.future }
                    for _ in 0..<count { semaphore.acquire().onValue(on: .immediate) { $0.release() } }
                    gate.succeed(0)
                    precondition(semaphore.inUseCount == 0)
                }
            }
        ])
}

/// Operations that wait for the one resource of a pool.
private func poolRow(_ count: Int) -> Row {
    Row(
        name: "ResourcePool, \(count.short) waiting behind one", operations: count, series: "ResourcePool, waiting",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let gate = Promise<Int>()
                    let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
                    escape(gate)
                    pool.enqueue(on: .immediate) { _ in gate.future }
                    for _ in 0..<count { pool.enqueue(on: .immediate) { Future($0) } }
                    gate.succeed(0)
                    precondition(pool.inUseCount == 0)
                }
            }
        ])
}
