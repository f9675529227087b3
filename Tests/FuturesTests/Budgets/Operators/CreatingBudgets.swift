// Budgets of creating: futures from results and operations, promises.

import Futures

extension Budget {
    static let creating = [
        Budget("create completed, drop", of: "Future.init", [Reason(1, "the future, with its result inside")]) {
            times in
            for time in 0..<times { escape(Future(time)) }
        },
        Budget("create failed, drop", of: "Future.init", [Reason(1, "the future, with its error inside")]) { times in
            for _ in 0..<times { escape(Future<Int>(error: refusal)) }
        },
        // All value types share one object.
        Budget("never", of: "Future.never", []) { times in
            for _ in 0..<times { escape(Future<Int>.never) }
        },
        Budget(
            "promise, one listener, complete", of: "Promise.init Promise.future",
            [promise, Reason(1, "the listener's future")]
        ) { times in
            for time in 0..<times {
                let promise = Promise<Int>()
                escape(promise)
                promise.future.onValue(on: .immediate) { _ in }
                promise.succeed(time)
            }
        },
        Budget("Future { completion in }, one listener", of: "Future.init", operation) { times in
            for _ in 0..<times {
                Future<Int>(on: .immediate) { completion in
                    escape(completion: completion)
                    completion(.success(1))
                    return NilDisposer()
                }.onValue(on: .immediate) { _ in }
            }
        },
        Budget(
            "Future(immediate:)", of: "Future.init",
            [Reason(1, "the future, with the closure inside")]
        ) { times in
            for _ in 0..<times { escape(Future<Int>(on: .immediate, immediate: { 1 })) }
        },
    ]

    private static let operation = [Reason(1, "the future"), completion, Reason(1, "the listener's future")]
}
