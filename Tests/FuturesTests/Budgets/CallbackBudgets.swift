// Budgets of bridges to functions with completions.

import Futures

extension Budget {
    static let callbacks = [
        each("Future.from with a result", of: "Future.from", called + [bent]) {
            let future = Future<Int>.from { (done: @escaping @Sendable (Result<Int, any Error>) -> Void) in
                done(.success(1))
            }
            escape(future)
        }.attached,
        each("Future.from with a value or an error", of: "Future.from", called + [bent]) {
            escape(Future<Int>.from { (done: @escaping @Sendable (Int?, (any Error)?) -> Void) in done(1, nil) })
        }.attached,
        each("Future.from with an error if there is one", of: "Future.from", called) {
            escape(Future<Void>.from { (done: @escaping @Sendable ((any Error)?) -> Void) in done(nil) })
        }.attached,
        each("awaitResult, at once", of: "awaitResult", [promise, Reason(1, "the completion")]) {
            let value: Int? = try? awaitResult {
                (done: @escaping @Sendable (Result<Int, any Error>) -> Void) in done(.success(1))
            }
            precondition(value == 1)
        },
        each("wait, completed", of: "Future.wait", []) { [future = Future(1)] in
            precondition((try? future.wait()) == 1)
        },
    ]

    private static let called = [node, isolation(of: 1), Reason(6, "its operation, its completion, the function's")]
    private static let bent = Reason(2, "the function as one of any type, and its completion as one of its own types")
}
