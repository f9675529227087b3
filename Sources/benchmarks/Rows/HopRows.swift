// Hop rows: work that goes from queue to queue.

import Dispatch
import Futures

/// Work that goes from queue to queue.
let hopRows = [
    blocksRow("1 block on one serial queue", count: 1),
    blocksRow("2 blocks on one serial queue", count: 2),
    blocksRow("3 blocks on one serial queue", count: 3),
    Row(
        name: "hop between two serial schedulers", operations: chainLength,
        contestants: [
            Contestant(.futures, clock: .wall) { passes in
                let (a, b) = (Scheduler(label: "a"), Scheduler(label: "b"))
                let done = DispatchSemaphore(value: 0)
                for pass in 0..<passes {
                    let promise = Promise<Int>()
                    escape(promise)
                    var last = promise.future
                    for _ in 0..<chainLength / 2 {
                        last = last.map(on: a) { $0 &+ 1 }.map(on: b) { $0 &+ 1 }
                    }
                    last.onValue(on: .immediate) { _ in done.signal() }
                    promise.succeed(pass)
                    done.wait()
                }
            },
            Contestant(.dispatch, clock: .wall) { passes in
                let (a, b) = (DispatchQueue(label: "a"), DispatchQueue(label: "b"))
                let done = DispatchSemaphore(value: 0)
                for _ in 0..<passes {
                    hop(chainLength, to: a, andBackTo: b, done)
                    done.wait()
                }
            },
            Contestant(.concurrency, clock: .wall) { passes in
                let (a, b) = (Place(), Place())
                inTask {
                    for _ in 0..<passes * chainLength / 2 {
                        await a.visit()
                        await b.visit()
                    }
                }
            },
        ]),
]

private let chainLength = 1000

/// So many blocks on a queue, each begun by the one before, until the last has run; the caller waits.
private func blocksRow(_ name: String, count: Int) -> Row {
    Row(
        name: name,
        contestants: [
            Contestant(.futures, clock: .wall) { passes in
                let scheduler = Scheduler(queue: DispatchQueue(label: "blocks"))
                let done = DispatchSemaphore(value: 0)
                for pass in 0..<passes {
                    var last = Future(pass)
                    for _ in 1..<count { last = last.map(on: scheduler) { $0 &+ 1 } }
                    last.onValue(on: scheduler) { _ in done.signal() }
                    done.wait()
                }
            },
            Contestant(.dispatch, clock: .wall) { passes in
                let queue = DispatchQueue(label: "blocks")
                let done = DispatchSemaphore(value: 0)
                for _ in 0..<passes {
                    hop(count, to: queue, andBackTo: queue, done)
                    done.wait()
                }
            },
        ])
}

/// Runs so many blocks, on one queue and the other in turns, each of which begins the next.
private func hop(_ count: Int, to a: DispatchQueue, andBackTo b: DispatchQueue, _ done: DispatchSemaphore) {
    a.async {
        if count == 1 { done.signal() } else { hop(count - 1, to: b, andBackTo: a, done) }
    }
}
