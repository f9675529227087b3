// Budgets of timing: a node that passes on a result later, or combines a future with a timer.

import Futures

extension Budget {
    static let timing = delays + limits + others

    private static let delays = [
        timed("delay(by:)", of: "Future.delay", [node] + delay) { $0.delay(by: .seconds(1), on: $1) },
        timed("delay(by:), none", of: "Future.delay", [node, delay[0]]) { $0.delay(by: nil, on: $1) },
    ]

    /// All use `limited`, whatever their result is when they expire.
    private static let limits = [
        timed("timeout(after:), in time", of: "Future.timeout", limit) { $0.timeout(after: .seconds(1), on: $1) },
        timed(
            "timeout(after:), too late", of: "Future.timeout",
            limit + [
                Reason(1, "the error"), stopped, Reason(3, "the jobs that dispose the timer and look for deadlocks"),
            ],
            expires: true
        ) { $0.timeout(after: .seconds(1), on: $1) },
        timed("fail(with:after:), in time", of: "Future.fail", limit) {
            $0.fail(with: refusal, after: .seconds(1), on: $1)
        },
        timed(
            "succeed(with:after:), in time", of: "Future.succeed",
            limit + [
                Reason(1, "the node that has the value when it is late"), Reason(3, "its closures, and the value's"),
            ]
        ) { $0.succeed(with: 1, after: .seconds(1), on: $1) },
        timed(
            "timeout(after:orElse:), in time", of: "Future.timeout",
            limit + [Reason(5, "the node that calls the closure when it is late, and the closures of that")]
        ) { $0.timeout(on: $1, after: .seconds(1)) { Future(1) } },
    ]

    private static let others = [
        pending("faultPoint", of: "Future.faultPoint", []) { $0.faultPoint("point") },
        pending(
            "performWhile", of: "Future.performWhile",
            combination(of: 1) + [Reason(9, "the work, its end, a listener to it, what disposes on the scheduler")]
        ) { $0.performWhile(on: .immediate) { NilDisposer() } },
        timed(
            "performWhile(delayBy:)", of: "Future.performWhile",
            combination(of: 1) + timer + [Reason(6, "the work, its end, a listener to it, and what stops the timer")]
        ) { $0.performWhile(on: $1, delayBy: .seconds(1)) { NilDisposer() } },
    ]

    private static let delay =
        [
            Reason(1, "its closure, with the delay and the scheduler"),
            Reason(4, "the node that waits for the timer, its closure, and what stops the timer"),
        ] + timer

    private static let limit = [
        node, Reason(1, "its closure, with the limit and what happens then"), Reason(1, "the timer's job"),
        Reason(1, "the disposable that stops the timer of virtual time: with Dispatch, the job itself"),
    ]
}
