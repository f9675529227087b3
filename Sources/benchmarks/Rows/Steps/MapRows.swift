// Map rows: short chains of maps.

import Futures

/// Short chains of maps on pending and on completed futures.
let mapRows = [
    Row(
        name: "10 maps pending, per map", operations: 10,
        contestants: [
            Contestant(.futures) { passes in
                for pass in 0..<passes {
                    let promise = Promise<Int>()
                    escape(promise)
                    var last = promise.future
                    for _ in 0..<10 { last = last.map(on: .immediate) { $0 &+ 1 } }
                    promise.succeed(pass)
                    sink = last.number
                }
            },
            Contestant(.callback, pendingCallbacks),
        ]),
    Row(
        name: "10 maps pending, captured values, per map", operations: 10,
        contestants: [
            Contestant(.futures) { passes in
                for pass in 0..<passes {
                    let promise = Promise<Int>()
                    escape(promise)
                    var last = promise.future
                    for number in 0..<10 { last = last.map(on: .immediate) { $0 &+ number &* pass } }
                    promise.succeed(pass)
                    sink = last.number
                }
            },
            Contestant(.callback) { passes in
                for pass in 0..<passes {
                    let callback = Callback()
                    var last = callback
                    for number in 0..<10 { last = last.map { $0 &+ number &* pass } }
                    callback.complete(.success(pass))
                    last.onValue { sink = $0 }
                }
            },
        ]),
    Row(
        name: "10 maps pending, where attached, per map", operations: 10,
        contestants: [
            Contestant(.futures) { passes in
                Scheduler.background.perform {
                    for pass in 0..<passes {
                        let promise = Promise<Int>()
                        escape(promise)
                        var last = promise.future
                        for _ in 0..<10 { last = last.map { $0 &+ 1 } }
                        promise.succeed(pass)
                        sink = last.number
                    }
                }
            },
            Contestant(.callback, pendingCallbacks),
        ]),
    Row(
        name: "10 maps completed, per map", operations: 10,
        contestants: [
            Contestant(.futures) { passes in
                for pass in 0..<passes {
                    var last = Future(pass)
                    for _ in 0..<10 { last = last.map(on: .immediate) { $0 &+ 1 } }
                    sink = last.number
                }
            },
            Contestant(.callback, completedCallbacks),
        ]),
    Row(
        name: "10 maps completed, where attached, per map", operations: 10,
        contestants: [
            Contestant(.futures) { passes in
                Scheduler.background.perform {
                    for pass in 0..<passes {
                        var last = Future(pass)
                        for _ in 0..<10 { last = last.map { $0 &+ 1 } }
                        sink = last.number
                    }
                }
            },
            Contestant(.callback, completedCallbacks),
        ]),
]

@Sendable
private func pendingCallbacks(_ passes: Int) {
    for pass in 0..<passes {
        let callback = Callback()
        var last = callback
        for _ in 0..<10 { last = last.map { $0 &+ 1 } }
        callback.complete(.success(pass))
        last.onValue { sink = $0 }
    }
}

@Sendable
private func completedCallbacks(_ passes: Int) {
    for pass in 0..<passes {
        var last = Callback(pass)
        for _ in 0..<10 { last = last.map { $0 &+ 1 } }
        last.onValue { sink = $0 }
    }
}

extension Future<Int> {
    /// The value, or 0 if there is none.
    var number: Int { (try? result?.get()) ?? 0 }
}
