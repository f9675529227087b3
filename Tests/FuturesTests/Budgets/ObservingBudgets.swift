// Budgets of observing: one node for a callback.

import Futures

extension Budget {
    static let observing = [
        pending("onValue", of: "Future.onValue", [node]) { $0.onValue(on: .immediate) { _ in } },
        failing("onError", of: "Future.onError", [node]) { $0.onError(on: .immediate) { _ in } },
        pending("onResult", of: "Future.onResult", [node]) { $0.onResult(on: .immediate) { _ in } },
        pending("onCancel", of: "Future.onCancel", [node]) { $0.onCancel(on: .immediate) {} },
        pending("always", of: "Future.always", [node]) { $0.always(on: .immediate) {} },
        pending("named", of: "Future.named", [Reason(2, "a record, with a weak reference")]) { $0.named("a name") },
        pending("cancel", of: "Future.cancel", [node, stopped]) { future in
            let last = future.map(on: .immediate) { $0 }
            last.cancel()
            return last
        },
        pending(
            "disposable", of: "Future.disposable",
            [node, stopped, Reason(5, "itself, what it refers to, and what releases the future when that completes")]
        ) { future in
            let last = future.map(on: .immediate) { $0 }
            last.disposable.dispose()
            return last
        },
        pending(
            "shieldedFromCancellation", of: "Future.shieldedFromCancellation",
            combination(of: 1) + [Reason(1, "a listener to the future")]
        ) { $0.shieldedFromCancellation() },
    ]
}
