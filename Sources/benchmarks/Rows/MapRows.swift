// Map rows: values on their way through closures.

import Futures

/// Values on their way through closures.
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
                    sink = (try? last.result?.get()) ?? 0
                }
            },
            Contestant(.callback) { passes in
                for pass in 0..<passes {
                    let callback = Callback()
                    var last = callback
                    for _ in 0..<10 { last = last.map { $0 &+ 1 } }
                    callback.complete(.success(pass))
                    last.onValue { sink = $0 }
                }
            },
        ])
]
