// Leaving rows: the cost of listeners that can be removed in constant time.

import Futures

/// The cost of listeners that can be removed in constant time. By hand, a doubly linked list replaces an array.
/// `listenerRows` measures the benefit.
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
