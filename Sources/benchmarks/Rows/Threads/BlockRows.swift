// Block rows: work that a queue does, one block after the other.

import Dispatch
import Futures

/// Work that a queue does, one block after the other.
let blockRows = [
    blocksRow("1 block on one serial queue", count: 1),
    blocksRow("2 blocks on one serial queue", count: 2),
    blocksRow("3 blocks on one serial queue", count: 3),
    blocksRow("3 blocks on one serial queue, attached before they begin", count: 3, fromPromise: true),
    flightRow,
]

/// So many blocks on a queue, each begun by the one before, until the last has run; the caller waits.
///
/// The first may have run before the second is attached, which wakes the queue again then; from a promise it cannot.
private func blocksRow(_ name: String, count: Int, fromPromise: Bool = false) -> Row {
    Row(
        name: name,
        contestants: [
            Contestant(.futures, clock: .wall) { passes in
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

/// Many such chains at a time, before the caller waits for all of them.
private let flightRow = Row(
    name: "100 k x 3 blocks in flight, per block", operations: 300_000, isOnePass: true,
    contestants: [
        Contestant(.futures, clock: .wall) { _ in
            let scheduler = Scheduler(queue: DispatchQueue(label: "blocks"))
            let done = DispatchSemaphore(value: 0)
            for number in 1...chains {
                chain(3, from: Future(number), on: scheduler).onValue(on: scheduler) { sink = $0 }
            }
            // Each block of a chain before runs in place behind another of it, or was scheduled before these.
            chain(3, from: Future(0), on: scheduler).onValue(on: scheduler) { _ in done.signal() }
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

/// All but the last of so many blocks.
@inline(__always)
private func chain(_ count: Int, from first: Future<Int>, on scheduler: Scheduler) -> Future<Int> {
    var last = first
    for _ in 1..<count { last = last.map(on: scheduler) { $0 &+ 1 } }
    return last
}

/// Runs so many blocks, on one queue and the other in turns, each of which begins the next.
func hop(_ count: Int, to a: DispatchQueue, andBackTo b: DispatchQueue, _ done: DispatchSemaphore?) {
    a.async {
        if count == 1 { done?.signal() } else { hop(count - 1, to: b, andBackTo: a, done) }
    }
}
