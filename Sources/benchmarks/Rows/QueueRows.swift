// Queue rows: operations one after the other.

import Dispatch
import Futures

/// Operations one after the other. Beside them, blocks on a serial `DispatchQueue`, and calls of an actor.
let queueRows = [
    oneByOneRow("FutureQueue, 1 k operations", count: 1000),
    oneByOneRow("FutureQueue, 100 k operations", count: 100_000),
    waitingRow("FutureQueue, 1 k waiting behind one", count: 1000),
    waitingRow("FutureQueue, 100 k waiting behind one", count: 100_000),
]

/// Operations that find the queue empty.
private func oneByOneRow(_ name: String, count: Int) -> Row {
    Row(
        name: name, operations: count,
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let queue = FutureQueue()
                    for _ in 0..<count { queue.enqueue(on: .immediate) { Future(1) } }
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

/// Operations that are all there before the first can begin.
private func waitingRow(_ name: String, count: Int) -> Row {
    Row(
        name: name, operations: count,
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let (queue, gate) = (FutureQueue(), Promise<Int>())
                    escape(gate)
                    queue.enqueue(on: .immediate) { gate.future }
                    for _ in 0..<count { queue.enqueue(on: .immediate) { Future(1) } }
                    gate.succeed(0)
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
        ])
}
