// FlatMap rows: chains of flatMaps to completed futures.

import Futures

/// Chains of flatMaps to completed futures.
let flatMapRows = [
    Row(
        name: "10 flatMaps to completed, per step", operations: 10,
        contestants: [
            Contestant(.futures) { passes in
                for pass in 0..<passes {
                    var last = Future(pass)
                    for _ in 0..<10 { last = last.flatMap(on: .immediate) { Future($0 &+ 1) } }
                    sink = last.number
                }
            },
            Contestant(.callback, flatMappedCallbacks),
            Contestant(.concurrency) { passes in
                inTask {
                    for pass in 0..<passes {
                        var last = pass
                        for _ in 0..<10 { last = await addedOne(last) }
                        sink = last
                    }
                }
            },
        ]),
    Row(
        name: "10 flatMaps to completed, where attached, per step", operations: 10,
        contestants: [
            Contestant(.futures) { passes in
                Scheduler.background.perform {
                    for pass in 0..<passes {
                        var last = Future(pass)
                        for _ in 0..<10 { last = last.flatMap { Future($0 &+ 1) } }
                        sink = last.number
                    }
                }
            },
            Contestant(.callback, flatMappedCallbacks),
        ]),
]

@Sendable
private func flatMappedCallbacks(_ passes: Int) {
    for pass in 0..<passes {
        var last = Callback(pass)
        for _ in 0..<10 { last = last.flatMap { Callback($0 &+ 1) } }
        last.onValue { sink = $0 }
    }
}

@inline(never)
private func addedOne(_ value: Int) async -> Int { value &+ 1 }
