// Budgets of asynchronous sequences: for each element.

import Dispatch
import Futures

extension Budget {
    /// Counted in the whole process, as tasks run on other threads.
    static let sequences = [
        iterating(
            "results, 1 element", of: "Collection.results",
            [element, listener, Reason(1, "what that calls, with its number"), Reason(1, "what passes on the result")]
        ) { times in
            for await _ in (0..<times).map({ Future($0) }).results() {}
        },
        iterating("orderedValues, 1 element", of: "Collection.orderedValues", [element, listener]) { times in
            do { for try await _ in (0..<times).map({ Future($0) }).orderedValues() {} } catch {}
        },
        iterating("runs, 1 element", of: "Future.runs", [Reason(1, "the future of the run")]) { times in
            var rest = times
            for await _ in Future(on: .immediate, immediate: { 1 }).runs() {
                rest -= 1
                if rest == 0 { break }
            }
        },
    ]

    private static func iterating(
        _ operation: String, of functions: String, _ reasons: [Reason],
        body: @escaping @Sendable (_ times: Int) async -> Void
    ) -> Budget {
        Budget(operation, of: functions, reasons) { times in
            let done = DispatchSemaphore(value: 0)
            Task {
                await body(times)
                done.signal()
            }
            done.wait()
        }
    }

    private static let element = Reason(1, "the element's future, which is its user's")
    private static let listener = Reason(1, "the listener, which keeps off a cancel")
}
