// Budgets of timing: a node that passes on a result later, or combines a future with a timer.

import Futures

extension Budget {
    static let timing = delays + limits + others

    private static let delays = [
        timed("delay(by:)", of: "Future.delay", [node] + delay) { $0.delay(by: .seconds(1), on: $1) },
        timed("delay(by:), none", of: "Future.delay", Array(([node] + delay).prefix(2))) {
            $0.delay(by: nil, on: $1)
        },
    ]

    /// All use `limited`, whatever their result is when they expire.
    private static let limits = [
        timed("timeout(after:), in time", of: "Future.timeout", limit) { $0.timeout(after: .seconds(1), on: $1) },
        timed(
            "timeout(after:), too late", of: "Future.timeout",
            limit + [
                Reason(1, "the error"), stopped, Reason(2, "the job that disposes the timer, and its closure"),
                Reason(1, "the job in which virtual time looks for deadlocks: with Dispatch, none"),
            ], expires: true
        ) {
            $0.timeout(after: .seconds(1), on: $1)
        },
        timed("fail(with:after:), in time", of: "Future.fail", limit) {
            $0.fail(with: refusal, after: .seconds(1), on: $1)
        },
        timed(
            "succeed(with:after:), in time", of: "Future.succeed",
            limit + [
                Reason(1, "the node that has the value when it is late"), Reason(2, "its closure, and the value's"),
            ]
        ) { $0.succeed(with: 1, after: .seconds(1), on: $1) },
        timed(
            "timeout(after:orElse:), in time", of: "Future.timeout",
            limit + [
                Reason(1, "the node that calls the closure when it is late"),
                Reason(2, "its closure, and that with the user's and the scheduler"),
            ]
        ) { $0.timeout(on: $1, after: .seconds(1)) { Future(1) } },
    ]

    private static let others = [
        pending("faultPoint", of: "Future.faultPoint", []) { $0.faultPoint("point") },
        pending(
            "performWhile", of: "Future.performWhile",
            work + [Reason(3, "what disposes on the scheduler: itself, what it calls, and what that has of the user")]
        ) {
            $0.performWhile(on: .immediate) { NilDisposer() }
        },
        timed(
            "performWhile(delayBy:)", of: "Future.performWhile",
            work + timer + [Reason(1, "the disposable that stops the timer of virtual time")]
        ) { $0.performWhile(on: $1, delayBy: .seconds(1)) { NilDisposer() } },
    ]

    private static let delay =
        [
            Reason(1, "its closure, with the delay and the scheduler"),
            Reason(1, "the node that waits for the timer"), Reason(1, "its closure, with the result"),
            Reason(2, "its disposable, which stops the timer"),
        ] + timer

    private static let limit =
        [
            node, Reason(1, "its closure, with the limit and what happens then"),
            Reason(1, "the disposable that stops the timer of virtual time: with Dispatch, the job itself"),
        ] + timer

    private static let work =
        combination(of: 1) + [
            Reason(2, "the operation that calls the work, and its closure"), Reason(1, "a listener to that"),
            Reason(2, "the job that ends it, and its closure"),
        ]
}
