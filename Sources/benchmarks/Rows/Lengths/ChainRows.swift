// Chain rows: long chains of maps on a pending future.

import Futures

/// Long chains of maps on a pending future, which are built, completed and released.
let chainRows = [1000, 10_000, 100_000, 1_000_000].map { count in
    // No hand-written contestant for longer chains: each callback calls the next one, which overflows the stack.
    Row(
        name: "\(count.short) maps in a chain: build, complete, drop", operations: count,
        isOnePass: count >= 100_000, isLong: count > 100_000, series: "chain of maps",
        contestants: count > 1000 ? [ours(count)] : [ours(count), byHand(count)])
}

private func ours(_ count: Int) -> Contestant {
    Contestant(.futures) { passes in
        for _ in 0..<passes {
            let promise = Promise<Int>()
            escape(promise)
            var last = promise.future
            for _ in 0..<count { last = last.map(on: .immediate) { $0 &+ 1 } }
            if count >= 100_000 { Held.look() }
            promise.succeed(0)
            precondition(last.number == count)
        }
    }
}

private func byHand(_ count: Int) -> Contestant {
    Contestant(.callback) { passes in
        for _ in 0..<passes {
            let callback = Callback()
            var last = callback
            for _ in 0..<count { last = last.map { $0 &+ 1 } }
            callback.complete(.success(0))
            last.onValue { precondition($0 == count) }
        }
    }
}
