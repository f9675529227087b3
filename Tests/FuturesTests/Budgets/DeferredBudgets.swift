// Budgets of Deferreds: describing, and starting.

import Futures

extension Budget {
    static let deferring = [
        described(
            "Deferred { value }", of: "Deferred.init",
            [recipe, Reason(1, "its closure, with the user's and the scheduler"), run]
        ) { Deferred(on: .immediate) { 1 } },
        described("Deferred of a value", of: "Deferred.init", first + [run]) { Deferred(1) },
        described("Deferred of an error", of: "Deferred.init", first + [run]) { Deferred<Int>(error: refusal) },
        described(
            "Deferred.future", of: "Deferred.future",
            first + [own] + operation + [Reason(2, "whether it is the first call, and the function that resolves")]
        ) { .future(on: .immediate) { $0 { 1 } } },
        described(
            "Deferred.following", of: "Deferred.following",
            first + [
                node, own, types, made, Reason(2, "what a repetition begins again, and the same as a step takes it"),
            ]
        ) { .following(on: .immediate) { Future(1) } },
        described("map of a Deferred", of: "Deferred.map", chained) { Deferred(1).map { $0 } },
        described("flatMap of a Deferred", of: "Deferred.flatMap", chained + [begins] + first + [made]) {
            Deferred(1).flatMap { Deferred($0) }
        },
        each("start again", of: "Deferred.start", [run]) { [deferred = Deferred(1)] in
            escape(deferred.start(on: .immediate))
        },
        each("execute", of: "Deferred.execute", [run, node, own, types]) { [deferred = Deferred(1)] in
            deferred.execute(on: .immediate) { _ = try $0() }
        },
        each("deferred of a future", of: "Deferred.init", first) { [future = Future(1)] in
            escape(Deferred(repeating: future))
        },
    ]

    /// A description that is created and started once.
    private static func described<T>(
        _ operation: String, of functions: String, _ reasons: [Reason], make: @escaping @Sendable () -> Deferred<T>
    ) -> Budget {
        each(operation, of: functions + " Deferred.start", reasons) {
            let deferred = make()
            escape(deferred)
            precondition(deferred.start(on: .immediate).isCompleted)
        }
    }

    // A recipe takes the previous run and a scheduler; users' closures take neither.
    private static let first = [recipe, Reason(2, "its closure, and what that calls, with what was given")]
    private static let next = first + [Reason(1, "the array of steps, when it is begun")]
    private static let chained = first + [run] + next + [node]
    private static let recipe = Reason(1, "its recipe")
    private static let run = Reason(1, "the future of the run")
    private static let own = Reason(1, "its closure, with the user's")
    private static let begins = Reason(1, "its closure, which begins what the user's describes")
    private static let operation = [run, types, completion]
    private static let traversal = [
        Reason(14, "the traversal, what a repetition begins again, and the values in their order"),
        Reason(10, "five for each of two elements, as in `mapToFuture`"),
        step("the node that gives out the values"),
    ]
}
