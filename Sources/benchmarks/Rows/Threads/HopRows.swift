// Hop rows: work that alternates between two queues.

import Dispatch
import Futures

/// Work that alternates between two serial queues, or two actors.
let hopRows = [
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
        ])
]

private let chainLength = 1000
