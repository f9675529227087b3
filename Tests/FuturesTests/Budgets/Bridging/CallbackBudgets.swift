// Budgets of bridges to functions with completions.

import Futures

extension Budget {
    static let callbacks = [
        Budget("Future.from with a result", of: "Future.from", called + [bent]) { times in
            for _ in 0..<times {
                let future = Future<Int>.from { (done: @escaping @Sendable (Result<Int, any Error>) -> Void) in
                    done(.success(1))
                }
                escape(future)
            }
        }.attached,
        Budget("Future.from with a value or an error", of: "Future.from", called + [bent]) { times in
            for _ in 0..<times {
                escape(Future<Int>.from { (done: @escaping @Sendable (Int?, (any Error)?) -> Void) in done(1, nil) })
            }
        }.attached,
        Budget("Future.from with an error if there is one", of: "Future.from", called) { times in
            for _ in 0..<times {
                escape(Future<Void>.from { (done: @escaping @Sendable ((any Error)?) -> Void) in done(nil) })
            }
        }.attached,
        Budget("awaitResult, at once", of: "awaitResult", [promise, Reason(1, "the completion")]) { times in
            for _ in 0..<times {
                let value: Int? = try? awaitResult {
                    (done: @escaping @Sendable (Result<Int, any Error>) -> Void) in done(.success(1))
                }
                precondition(value == 1)
            }
        },
        Budget("wait, completed", of: "Future.wait", []) { times in
            let future = Future(1)
            for _ in 0..<times { precondition((try? future.wait()) == 1) }
        },
    ]

    private static let called = [
        node, isolation(of: 1), Reason(1, "what makes the function's completion of the future's own"),
        Reason(1, "its operation, with that and the function"), types, completion,
        Reason(1, "the function's completion"),
    ]
    private static let bent = Reason(2, "the function as one of any type, and its completion as one of its own types")
}
