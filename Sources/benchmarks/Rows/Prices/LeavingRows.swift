// Leaving rows: what it costs that a listener can be removed in constant time.

import Futures

/// What it costs that any listener can leave, in the same time however many there are: by hand, a list linked both ways
/// instead of an array. `listenerRows` show what it buys.
let leavingRows = [1, 8].map { count in
    Row(
        name: "removal: \(count) \(count == 1 ? "listener" : "listeners"), per listener", operations: count,
        price: Price(rule: "removal", without: .callback, with: .callback(with: .remove)),
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
            Contestant(.callback(with: .remove)) { passes in
                for pass in 0..<passes {
                    let callback = LeavableCallback()
                    for _ in 0..<count { callback.onResult { if case .success(let value) = $0 { sink = value } } }
                    callback.complete(.success(pass))
                }
            },
        ])
}
