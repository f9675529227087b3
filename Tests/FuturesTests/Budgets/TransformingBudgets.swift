// Budgets of transforming: one node for a step, and the captures of the operator's own closure.

import Futures

extension Budget {
    static let transforming =
        [
            pending("map", of: "Future.map", [node]) { $0.map(on: .immediate) { $0 &+ 1 } },
            pending("map", of: "Future.map", [node, isolation(of: 1)]) { $0.map { $0 &+ 1 } }.attached,
            pending("map that throws", of: "Future.map", [node, thrown]) {
                $0.map(on: .immediate) { _ -> Int in throw refusal }
            },
            pending("mapResult", of: "Future.mapResult", [node]) {
                $0.mapResult(on: .immediate) { try $0.get() }
            },
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
        pending(
            "unwrap, after a map", of: "Future.unwrap",
            [node, Reason(1, "the map's node")]
        ) { $0.map(on: .immediate) { Optional($0) }.unwrap(orThrow: refusal) },
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
                node, isolation(of: 1), Reason(1, "the closure that replaces the error"),
                Reason(2, "what the compiler adds to a closure that takes an error and returns one"),
            ]
        ) { $0.mapError { _ in refusal } }.attached,
    ]

    private static let recovery = [
        Reason(1, "its closure, which contains the one that attaches the recovery"),
        Reason(1, "that one, with the user's"),
        Reason(1, "a future of the error as one of its type, which the user's closure is attached to"),
        Reason(1, "the recovery's node, which hops if it must"),
    ]
}
