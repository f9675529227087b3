// Budgets of transforming: one node for a step, however many there are, and the captures of the operator's own closure.

import Futures

extension Budget {
    static let transforming =
        [
            pending("map", of: "Future.map", [node]) { $0.map(on: .immediate) { $0 &+ 1 } },
            pending("map", of: "Future.map", [node, isolation(of: 1)]) { $0.map { $0 &+ 1 } }.attached,
            pending("map that throws", of: "Future.map", [node, thrown]) {
                $0.map(on: .immediate) { _ -> Int in throw refusal }
            },
            pending("mapResult", of: "Future.mapResult", [node]) { $0.mapResult(on: .immediate) { try $0.get() } },
            failing("recover", of: "Future.recover", [node]) { $0.recover(on: .immediate) { _ in 1 } },
            pending("flatMap", of: "Future.flatMap", [node, made]) { $0.flatMap(on: .immediate) { Future($0) } },
            pending("flatMapResult", of: "Future.flatMapResult", [node, made]) {
                $0.flatMapResult(on: .immediate) { Future(result: $0) }
            },
            failing("flatMapError", of: "Future.flatMapError", [node, made]) {
                $0.flatMapError(on: .immediate) { _ in Future(1) }
            },
        ] + shorthands + recoveries

    /// Maps that wrap the user's closure in one of their own.
    private static let shorthands = [
        pending("unwrap, after a map", of: "Future.unwrap", [node, node]) {
            $0.map(on: .immediate) { Optional($0) }.unwrap(orThrow: refusal)
        },
        pending("asVoid", of: "Future.asVoid", [node]) { $0.asVoid() },
    ]

    private static let recoveries = [
        failing("recover from a type", of: "Future.recover", [node, isolation(of: 1)] + recovery) {
            $0.recover(from: Refusal.self) { _ in 1 }
        }.attached,
        failing("flatMapError from a type", of: "Future.flatMapError", [node, made, isolation(of: 1)] + recovery) {
            $0.flatMapError(from: Refusal.self) { _ in Future(1) }
        }.attached,
        failing(
            "mapError", of: "Future.mapError",
            [
                node, isolation(of: 1),
                Reason(3, "the closure that replaces the error, and what the compiler adds to that"),
            ]
        ) { $0.mapError { _ in refusal } }.attached,
    ]

    private static let recovery = [
        Reason(2, "its closure, with the one that attaches the recovery and has the user's"),
        Reason(2, "a future of the error as one of its type, and the recovery's node, which hops if it must"),
    ]

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
