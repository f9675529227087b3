// Budgets of traversals: for each element, as one run has many.

import Futures

extension Budget {
    static let traversing = [
        Budget("mapToFuture, 1 element", of: "Sequence.mapToFuture", [made] + element) { times in
            let end = (0..<times).mapToFuture(on: .immediate) { Future($0) }
            precondition(end.isCompleted)
        },
        Budget("mapToFuture, 1 element that is pending", of: "Sequence.mapToFuture", [promise] + element) { times in
            let promises = (0..<times).map { _ in Promise<Int>() }
            let end = (0..<times).mapToFuture(on: .immediate) { promises[$0].future }
            for promise in promises { promise.succeed(1) }
            precondition(end.isCompleted)
        },
        Budget("forEachToFuture, 1 element", of: "Sequence.forEachToFuture", [made] + element + handled) { times in
            let end = (0..<times).forEachToFuture(on: .immediate) {
                Future($0)
            } onResult: { _ in
            }
            precondition(end.isCompleted)
        },
    ]

    private static let element = [asked, Reason(1, "what is done with the result, of which number"), types, next]
    private static let handled = [
        Reason(1, "the node that listens to its result first"), Reason(1, "its closure"), types,
    ]
    private static let asked = Reason(1, "the iterator, taken out while it is asked (no lock is held then)")
    private static let next = Reason(1, "the node that continues with the next element")
}
