// Race rows: two threads that use the same futures.

import Futures

/// Two threads that use the same futures: each thread adds a listener to every future and then completes it. Only the
/// first completion takes effect.
let raceRows = [
    Row(
        name: "two threads adding listeners and completing", operations: count * repetitions,
        contestants: [
            Contestant(.futures, clock: .process) { passes in
                let pair = Pair()
                for _ in 0..<passes * repetitions {
                    let promises = (0..<count).map { _ in Promise<Int>() }
                    pair.run {
                        for promise in promises {
                            promise.future.onResult(on: .immediate) { _ in }
                            promise.succeed(1)
                        }
                    }
                }
            },
            Contestant(.callback, clock: .process) { passes in
                let pair = Pair()
                for _ in 0..<passes * repetitions {
                    let callbacks = (0..<count).map { _ in CallbackList() }
                    pair.run {
                        for callback in callbacks {
                            callback.onResult { _ in }
                            callback.complete(.success(1))
                        }
                    }
                }
            },
        ])
]

private let count = 1000
// The number of times per pass that the threads start together: their relative timing varies from time to time.
private let repetitions = 20
