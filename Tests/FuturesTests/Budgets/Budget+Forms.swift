// The forms of most budgets: an operator on a future that is pending, or has completed, or is repeated.

import Futures
import FuturesTesting

extension Budget {
    /// An operation that needs nothing from others.
    static func each(
        _ operation: String, of functions: String, _ reasons: [Reason], body: @escaping @Sendable () -> Void
    ) -> Budget { Budget(operation, of: functions, reasons) { times in for _ in 0..<times { body() } } }

    /// An operator on a pending future that then succeeds with 1.
    static func pending<T>(
        _ operation: String, of functions: String, _ reasons: [Reason],
        attach: @escaping @Sendable (Future<Int>) -> Future<T>
    ) -> Budget { pending(operation, of: functions, reasons, .success(1), attach) }

    /// An operator on a pending future that then fails.
    static func failing<T>(
        _ operation: String, of functions: String, _ reasons: [Reason],
        attach: @escaping @Sendable (Future<Int>) -> Future<T>
    ) -> Budget { pending(operation, of: functions, reasons, .failure(refusal), attach) }

    private static func pending<T>(
        _ operation: String, of functions: String, _ reasons: [Reason], _ result: Result<Int, any Error>,
        _ attach: @escaping @Sendable (Future<Int>) -> Future<T>
    ) -> Budget {
        Budget(operation, of: functions, [promise] + reasons) { times in
            for _ in 0..<times {
                let promise = Promise<Int>()
                escape(promise)
                let last = attach(promise.future)
                promise.complete(result)
                precondition(last.isCompleted)
            }
        }
    }

    /// An operator on two pending futures that then succeed.
    static func pair<T>(
        _ operation: String, of functions: String, _ reasons: [Reason],
        attach: @escaping @Sendable (Future<Int>, Future<Int>) -> Future<T>
    ) -> Budget {
        Budget(operation, of: functions, [Reason(4, "two promises: their tokens and futures")] + reasons) { times in
            for _ in 0..<times {
                let (first, second) = (Promise<Int>(), Promise<Int>())
                escape(first)
                escape(second)
                let last = attach(first.future, second.future)
                first.succeed(1)
                second.succeed(2)
                precondition(last.isCompleted)
            }
        }
    }

    /// An operator with a timer on a pending future, which succeeds before the timer fires unless it `expires`.
    static func timed<T>(
        _ operation: String, of functions: String, _ reasons: [Reason], expires: Bool = false,
        attach: @escaping @Sendable (Future<Int>, Scheduler) -> Future<T>
    ) -> Budget {
        Budget(operation, of: functions, [promise] + reasons) { times in
            let time = VirtualTime()
            for _ in 0..<times {
                let promise = Promise<Int>()
                escape(promise)
                let last = attach(promise.future, time.scheduler)
                if !expires { promise.succeed(1) }
                time.advance(by: .seconds(1))
                precondition(last.isCompleted)
            }
        }
    }

}

extension Budget {
    /// The same budget on a scheduler of its own, where closures without `on:` run in place.
    var attached: Budget {
        let run = run
        return Budget(operation + ", where attached", of: functions, reasons) { times in
            Scheduler(label: "attached").perform { run(times) }
        }
    }

    /// The allocations of any combination of `count` futures, without the operator's own.
    static func combination(of count: Int) -> [Reason] {
        [
            Reason(1, "the array of the futures"),
            Reason(1, "the closure that makes it anew for a repetition"),
            Reason(1, "its recipe, which hands that closure the futures' repetitions"),
            Reason(1, "its node"),
            Reason(count, "a listener to each"),
            Reason(1, "the array of the listeners, which leave together"),
            Reason(1, "the object that detaches it when it completes or is cancelled"),
            Reason(1, "the object that retains the futures until it completes"),
        ]
    }

    /// The timer of a scheduler with its own clock. Dispatch's allocations for a timer are in `a timer`.
    static let timer = [Reason(1, "what the timer's closure captures"), Reason(1, "the timer's job")]

    /// The additional allocations of forms without `on:`.
    static func isolation(of count: Int) -> Reason {
        Reason(count, "what the compiler adds to a closure that may be isolated")
    }

    static let promise = Reason(2, "the promise: its token and its future")
    static let node = Reason(1, "its node")
    static let stopped = Reason(1, "what counts the work that is stopped")
    /// In tests only.
    static let thrown = Reason(1, "the backtrace that Swift Testing keeps of an error that is thrown")
    static let types = Reason(1, "the types of that, as the library was compiled before they were known")
    static let made = Reason(1, "the future that the closure makes")
    static let completion = Reason(
        2, "the completion, whose release reports abandonment, and the same in the form that closures of one type have")

    /// A node that calls a closure of the library.
    static func step(_ what: String) -> Reason { Reason(3, what + "; its closure; their types") }
}

/// One error for all budgets, so that they do not measure the creation of errors.
let refusal: any Error = Refusal()
struct Refusal: Error {
    // Unknown at compile time: otherwise, the optimizer creates a new error each time instead of using this one.
    let number = CommandLine.arguments.count
}

/// Lets an object escape, so that the optimizer allocates it on the heap, as in real programs.
@inline(never)
func escape(_ value: some Sendable) {
    if isWanted { escaped = value }
}

@inline(never)
func escape(completion: @escaping Future<Int>.Completion) {
    if isWanted { escapedCompletion = completion }
}

// Always false, but the optimizer must not know.
private let isWanted = CommandLine.arguments.isEmpty
private nonisolated(unsafe) var escaped: (any Sendable)?
private nonisolated(unsafe) var escapedCompletion: Future<Int>.Completion?
