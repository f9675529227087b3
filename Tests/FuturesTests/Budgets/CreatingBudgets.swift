// Budgets of creating: futures from results and operations, promises.

import Futures

extension Budget {
    static let creating = [
        each("create completed, drop", of: "Future.init", [Reason(1, "the future, with its result inside")]) {
            escape(Future(1))
        },
        each("create failed, drop", of: "Future.init", [Reason(1, "the future, with its error inside")]) {
            escape(Future<Int>(error: refusal))
        },
        // All value types share one object.
        each("never", of: "Future.never", []) { escape(Future<Int>.never) },
        pending(
            "promise, one listener, complete", of: "Promise.init Promise.future", [Reason(1, "the listener's future")]
        ) { $0.onValue(on: .immediate) { _ in } },
        each("Future { completion in }, one listener", of: "Future.init", operation) {
            Future<Int>(on: .immediate) { completion in
                escape(completion: completion)
                completion(.success(1))
                return NilDisposer()
            }.onValue(on: .immediate) { _ in }
        },
        each("Future(immediate:)", of: "Future.init", [Reason(1, "the future, with the closure inside")]) {
            escape(Future<Int>(on: .immediate, immediate: { 1 }))
        },
    ]

    private static let operation = [Reason(1, "the future"), completion, Reason(1, "the listener's future")]
}
