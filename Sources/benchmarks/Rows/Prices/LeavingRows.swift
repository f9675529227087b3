// Leaving rows: what rule 14 costs.

import Futures

/// What it costs that any listener can leave, in the same time however many there are: by hand, a list linked both ways
/// instead of an array. `listenerRows` show what it buys.
let leavingRows = [1, 8].map { count in
    Row(
        name: "rule 14, leaving: \(count) \(count == 1 ? "listener" : "listeners"), per listener", operations: count,
        price: Price(rule: "rule 14", without: .callback, with: .callback(withRule: 14)),
        contestants: [
            Contestant(.futures) { passes in
                for pass in 0..<passes {
                    let promise = Promise<Int>()
                    escape(promise)
                    for _ in 0..<count { promise.future.onValue(on: .immediate) { sink = $0 } }
                    promise.succeed(pass)
                }
            },
            Contestant(.callback) { passes in
                for pass in 0..<passes {
                    let callback = CallbackList()
                    for _ in 0..<count { callback.onResult { if case .success(let value) = $0 { sink = value } } }
                    callback.complete(.success(pass))
                }
            },
            Contestant(.callback(withRule: 14)) { passes in
                for pass in 0..<passes {
                    let callback = LeavableCallback()
                    for _ in 0..<count { callback.onResult { if case .success(let value) = $0 { sink = value } } }
                    callback.complete(.success(pass))
                }
            },
        ])
}
