// Budgets of chains: one node for a step, however many there are.

import Futures

extension Budget {
    static let chains = [
        pending("10 maps, pending", of: "Future.map", [Reason(10, "one node for each map")]) { future in
            (0..<10).reduce(future) { last, _ in last.map(on: .immediate) { $0 &+ 1 } }
        },
        each(
            "10 flatMaps to completed", of: "Future.flatMap",
            [
                Reason(1, "the source"), Reason(10, "one node for each flatMap"),
                Reason(10, "the future that the closure makes"),
            ]
        ) {
            var last = Future(1)
            for _ in 0..<10 { last = last.flatMap(on: .immediate) { Future($0 &+ 1) } }
        },
        Budget(
            "recursive flatMap, 1 immediate step", of: "Future.flatMap",
            [Reason(1, "the future that the step begins with"), Reason(1, "the flatMap's node")]
        ) { times in precondition(countDown(from: times).isCompleted) },
    ]

    private static func countDown(from start: Int) -> Future<Int> {
        Future(start).flatMap(on: .immediate) { $0 == 0 ? Future(0) : countDown(from: $0 - 1) }
    }
}
