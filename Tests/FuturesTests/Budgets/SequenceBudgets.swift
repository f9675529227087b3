// Budgets of asynchronous sequences: for each element.

import Futures

extension Budget {
    static let sequences = [
        iterating(
            "results, 1 element", of: "Collection.results",
            [element, Reason(3, "the listener, and what passes on the result"), Reason(1, "its place in the stream")]
        ) { times in
            for await _ in (0..<times).map({ Future($0) }).results() {}
        },
        iterating(
            "mapToFuture, 1 element", of: "AsyncSequence.mapToFuture", visit + [step("the step that stores the value")]
        ) { times in _ = try? await Numbers(count: times).mapToFuture { Future($0) }.value },
        iterating(
            "forEachToFuture, 1 element", of: "AsyncSequence.forEachToFuture",
            visit + [
                Reason(1, "what the user's closure follows"),
                Reason(7, "two steps that call the closures, and their hop"),
            ]
        ) { times in
            try? await Numbers(count: times).forEachToFuture {
                Future($0)
            } onResult: { _, _ in
            }.value
        },
    ]

    private static func iterating(
        _ operation: String, of functions: String, _ reasons: [Reason],
        body: @escaping @Sendable (_ times: Int) async -> Void
    ) -> Budget { Budget(operation, of: functions, reasons) { times in inTask(times, body) } }

    private static let element = Reason(1, "the element's future, which is its user's")
    private static let visit = [
        element, Reason(2, "its place in the line; its closure, with the element and its number"),
        step("the step that looks for a failure"), Reason(1, "the future of the queue's capacity"),
        Reason(3, "the hop to the closure's scheduler: a block, and what it refers to"),
    ]
}

/// Numbers from zero, without suspension.
private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let count: Int
    var number = 0

    func makeAsyncIterator() -> Numbers { self }

    mutating func next() async -> Int? {
        guard number < count else { return nil }
        defer { number += 1 }
        return number
    }
}
