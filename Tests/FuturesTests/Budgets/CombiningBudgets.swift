// Budgets of combining: a node that combines, and a listener for each child.

import Futures

extension Budget {
    static let combining = joins + races

    private static let joins = [
        pair("join of 2", of: "join", combination(of: 2) + counted) { join($0, $1) },
        pair(
            "join of a collection of 2", of: "join",
            combination(of: 2) + counted + [Reason(1, "the array of the values")]
        ) { join([$0, $1]) },
        pair("join of a dictionary of 2", of: "join", combination(of: 2) + counted + keyed) { join([1: $0, 2: $1]) },
        pair(
            "settle of 2", of: "Future.settle",
            combination(of: 2) + counted + [Reason(1, "a box for the results, too large for the node")]
        ) { Future.settle($0, $1) },
    ]

    private static let races = [
        pair("select(_:or:)", of: "select", combination(of: 2) + numbered) { select($0, or: $1) },
        pair("select(between:) of 2", of: "select", combination(of: 2) + numbered) { select(between: [$0, $1]) },
        pair(
            "firstSuccess of 2", of: "Future.firstSuccess",
            combination(of: 2) + numbered + [Reason(5, "the futures that have succeeded, and how many may still fail")]
        ) { Future.firstSuccess(of: [$0, $1]) },
        pair(
            "first 2 of 2", of: "Future.first",
            combination(of: 2) + numbered + [Reason(7, "the same, whose array grows, and the array of the values")]
        ) { Future.first(2, of: [$0, $1]) },
        pair(
            "abort(forFutures:) with 1 signal", of: "Future.abort",
            combination(of: 1) + [Reason(3, "a listener to the future, and one to each signal of an array")]
        ) { $0.abort(forFutures: [$1]) },
    ]

    private static let counted = [Reason(2, "the count of those missing, and a listener to each")]
    private static let keyed = [Reason(3, "the dictionaries of the futures and values, and the array of the keys")]
    private static let numbered = [Reason(2, "a listener to each, which knows its index")]
}
