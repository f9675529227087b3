// Join rows: many pending futures that are joined.

import Futures
import Synchronization

/// Many pending futures that are joined and then completed.
let joinRows = [1000, 10_000, 100_000, 1_000_000].map { count in
    Row(
        name: "join of \(count.short) pending, per child", operations: count, isOnePass: count >= 100_000,
        isLong: count > 100_000, series: "join",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    let promises = (0..<count).map { _ in Promise<Int>() }
                    let joined = join(promises.map { $0.future })
                    for (index, promise) in promises.enumerated() { promise.succeed(index) }
                    precondition((try? joined.result?.get().count) == count)
                }
            },
            Contestant(.callback) { passes in
                for _ in 0..<passes {
                    let callbacks = (0..<count).map { _ in Callback() }
                    let joined = Joined(callbacks)
                    for (index, callback) in callbacks.enumerated() { callback.complete(.success(index)) }
                    precondition(joined.values?.count == count)
                }
            },
        ])
}

/// A hand-written collector of the results of several callbacks.
private final class Joined: Sendable {
    private struct State {
        var values: [Int]
        var missing: Int
        var error: (any Error)?
    }

    private let state: Mutex<State>

    init(_ callbacks: [Callback]) {
        state = Mutex(State(values: Array(repeating: 0, count: callbacks.count), missing: callbacks.count))
        for (index, callback) in callbacks.enumerated() {
            callback.onResult { self.take($0, index) }
        }
    }

    var values: [Int]? {
        state.withLock { $0.missing == 0 && $0.error == nil ? $0.values : nil }
    }

    private func take(_ result: Result<Int, any Error>, _ index: Int) {
        state.withLock { state in
            switch result {
            case .success(let value):
                state.values[index] = value
                state.missing -= 1
            case .failure(let error): state.error = state.error ?? error
            }
        }
    }
}
