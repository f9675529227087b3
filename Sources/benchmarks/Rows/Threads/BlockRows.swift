// Block rows: chains of blocks on one serial queue.

import Dispatch
import Futures

/// Chains of blocks on one serial queue. They are compared with chains of callbacks by hand, which pass values as ours
/// do (CB+RD), and with blocks that start each other and pass nothing (RD). All threads share a processor, except in
/// the last row.
let blockRows = [
    blocksRow("1 block on one serial queue", count: 1),
    blocksRow("2 blocks on one serial queue", count: 2),
    blocksRow("3 blocks on one serial queue", count: 3),
    blocksRow("3 blocks on one serial queue, attached before they begin", count: 3, fromPromise: true),
    flightRow,
]

/// Returns a row with `count` blocks on a queue, each of which is started by the one before. The caller waits for the
/// last one.
///
/// The first block may have run before the second one is attached, which then wakes the queue again. With `fromPromise`
/// all blocks are attached before the first one starts.
private func blocksRow(_ name: String, count: Int, fromPromise: Bool = false) -> Row {
    Row(
        name: name, sharesProcessor: true,
        contestants: [
            Contestant(.futures, clock: .process) { passes in
                let scheduler = Scheduler(queue: DispatchQueue(label: "blocks"))
                let done = DispatchSemaphore(value: 0)
                for pass in 0..<passes {
                    let promise = fromPromise ? Promise<Int>() : nil
                    chain(count, from: promise?.future ?? Future(pass), on: scheduler)
                        .onValue(on: scheduler) { _ in done.signal() }
                    promise?.succeed(pass)
                    done.wait()
                }
            },
            Contestant(.callbackOnQueue, clock: .process) { passes in
                let queue = DispatchQueue(label: "blocks")
                let done = DispatchSemaphore(value: 0)
                for pass in 0..<passes {
                    let first = fromPromise ? Callback() : Callback(pass)
                    chain(count, from: first, on: queue).onValue(on: queue) { _ in done.signal() }
                    if fromPromise { first.complete(.success(pass)) }
                    done.wait()
                }
            },
            Contestant(.dispatch, clock: .process) { passes in
                let queue = DispatchQueue(label: "blocks")
                let done = DispatchSemaphore(value: 0)
                for _ in 0..<passes {
                    hop(count, to: queue, andBackTo: queue, done)
                    done.wait()
                }
            },
        ])
}

/// Many chains of three blocks at a time. The caller waits for all of them.
private let flightRow = Row(
    name: "100 k x 3 blocks in flight, per block", operations: 300_000, isOnePass: true,
    contestants: [
        Contestant(.futures, clock: .wall) { _ in
            let scheduler = Scheduler(queue: DispatchQueue(label: "blocks"))
            let done = DispatchSemaphore(value: 0)
            for number in 1...chains {
                chain(3, from: Future(number), on: scheduler).onValue(on: scheduler) { sink = $0 }
            }
            // Runs last: each block of an earlier chain runs in place after its predecessor, or was scheduled before.
            chain(3, from: Future(0), on: scheduler).onValue(on: scheduler) { _ in done.signal() }
            done.wait()
        },
        Contestant(.callbackOnQueue, clock: .wall) { _ in
            let queue = DispatchQueue(label: "blocks")
            let done = DispatchSemaphore(value: 0)
            for number in 1...chains { chain(3, from: Callback(number), on: queue).onValue(on: queue) { sink = $0 } }
            chain(3, from: Callback(0), on: queue).onValue(on: queue) { _ in done.signal() }
            done.wait()
        },
        Contestant(.dispatch, clock: .wall) { _ in
            let queue = DispatchQueue(label: "blocks")
            let done = DispatchSemaphore(value: 0)
            for _ in 1...chains { hop(3, to: queue, andBackTo: queue, nil) }
            hop(3, to: queue, andBackTo: queue, done)
            done.wait()
        },
    ])

private let chains = 100_000

/// Returns a chain of all but the last of `count` blocks.
@inline(__always)
private func chain(_ count: Int, from first: Future<Int>, on scheduler: Scheduler) -> Future<Int> {
    var last = first
    for _ in 1..<count { last = last.map(on: scheduler) { $0 &+ 1 } }
    return last
}

/// Returns the same chain by hand.
private func chain(_ count: Int, from first: Callback, on queue: DispatchQueue) -> Callback {
    var last = first
    for _ in 1..<count { last = last.map(on: queue) { $0 &+ 1 } }
    return last
}

/// Runs `count` blocks, alternating between two queues. Each block starts the next one, and the last signals `done`.
func hop(_ count: Int, to a: DispatchQueue, andBackTo b: DispatchQueue, _ done: DispatchSemaphore?) {
    a.async {
        if count == 1 { done?.signal() } else { hop(count - 1, to: b, andBackTo: a, done) }
    }
}
