// Queue rows: operations of serial queues.

import Dispatch
import Futures

/// Operations of serial queues. They are compared with a hand-written queue that runs on the caller's thread, as ours
/// does; with blocks on a serial `DispatchQueue` that capture nothing and have no result, with such blocks that have a
/// result, and with calls of an actor.
let queueRows = lengths.map(oneByOneRow) + lengths.map(waitingRow)

private let lengths = [1000, 10_000, 100_000, 1_000_000]

/// Returns a row of operations that find the queue empty.
private func oneByOneRow(_ count: Int) -> Row {
    Row(
        name: "FutureQueue, \(count.short) operations", operations: count, isLong: count > 100_000,
        series: "FutureQueue, one by one",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let queue = FutureQueue()
                    for _ in 0..<count { queue.on(.immediate).enqueue { Future(1) } }
                    precondition(queue.isEmpty)
                }
            },
            Contestant(.callbackQueue) { passes in
                for _ in 0..<passes {
                    let queue = CallbackQueue()
                    for _ in 0..<count { _ = queue.enqueue { Callback(1) } }
                    precondition(queue.isEmpty)
                }
            },
            Contestant(.dispatch) { passes in
                let done = DispatchSemaphore(value: 0)
                for _ in 0..<passes {
                    let queue = DispatchQueue(label: "queue")
                    for _ in 0..<count { queue.async { sink &+= 1 } }
                    queue.async { done.signal() }
                    done.wait()
                }
            },
            Contestant(.answeringDispatch) { passes in
                let done = DispatchSemaphore(value: 0)
                for _ in 0..<passes {
                    let queue = DispatchQueue(label: "queue")
                    for _ in 0..<count {
                        let callback = Callback()
                        queue.async { callback.complete(.success(1)) }
                    }
                    queue.async { done.signal() }
                    done.wait()
                }
            },
            Contestant(.concurrency) { passes in
                inTask {
                    for _ in 0..<passes {
                        let place = Place()
                        for _ in 0..<count { await place.visit() }
                    }
                }
            },
        ])
}

/// Returns a row of operations that are all enqueued before the first of them can start.
private func waitingRow(_ count: Int) -> Row {
    Row(
        name: "FutureQueue, \(count.short) waiting behind one", operations: count, isLong: count > 100_000,
        series: "FutureQueue, waiting",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let (queue, gate) = (FutureQueue(), Promise<Int>())
                    escape(gate)
                    queue.on(.immediate).enqueue { gate.future }
                    for _ in 0..<count { queue.on(.immediate).enqueue { Future(1) } }
                    gate.succeed(0)
                    precondition(queue.isEmpty)
                }
            },
            Contestant(.callbackQueue) { passes in
                for _ in 0..<passes {
                    let (queue, gate) = (CallbackQueue(), Callback())
                    escape(gate)
                    _ = queue.enqueue { gate }
                    for _ in 0..<count { _ = queue.enqueue { Callback(1) } }
                    gate.complete(.success(0))
                    precondition(queue.isEmpty)
                }
            },
            Contestant(.dispatch) { passes in
                let done = DispatchSemaphore(value: 0)
                for _ in 0..<passes {
                    let queue = DispatchQueue(label: "queue")
                    queue.suspend()
                    for _ in 0..<count { queue.async { sink &+= 1 } }
                    queue.async { done.signal() }
                    queue.resume()
                    done.wait()
                }
            },
            Contestant(.answeringDispatch) { passes in
                let done = DispatchSemaphore(value: 0)
                for _ in 0..<passes {
                    let queue = DispatchQueue(label: "queue")
                    queue.suspend()
                    for _ in 0..<count {
                        let callback = Callback()
                        queue.async { callback.complete(.success(1)) }
                    }
                    queue.async { done.signal() }
                    queue.resume()
                    done.wait()
                }
            },
        ])
}
