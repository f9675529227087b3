// Budgets of sharing by key: runs in progress, and cached values.

import Futures

extension Budget {
    static let sharing = [
        Budget("future(for:), a new run", of: "SingleFlight.future", caller + share + run) { times in
            let flights = SingleFlight<Int, Int>()
            for key in 0..<times { escape(flights.future(on: .immediate, for: key) { Future(1) }) }
        },
        Budget("future(for:), another's run", of: "SingleFlight.future", caller + share) { times in
            let (flights, gate) = (SingleFlight<Int, Int>(), Promise<Int>())
            for _ in 0..<times { escape(flights.future(on: .immediate, for: 0) { gate.future }) }
            gate.succeed(1)
        },
        each("future(for:), kept", of: "FutureCache.future", caller) { [cache = FutureCache<Int, Int>(maxCount: 1)] in
            escape(cache.future(on: .immediate, for: 0) { Future(1) })
        },
        Budget(
            "future(for:), a new value in the place of an old one", of: "FutureCache.future",
            caller + share + run + [Reason(1, "the entry of the value"), Reason(2, "the arrays of what goes for it")]
        ) { times in
            let cache = FutureCache<Int, Int>(maxCount: 1)
            for key in 0..<times { escape(cache.future(on: .immediate, for: key) { Future(1) }) }
        },
        each("future of the latest operation", of: "LatestOperation.future", caller + latest) {
            [latest = LatestOperation()] in
            escape(latest.future(on: .immediate) { Future(1) })
        },
        Budget("load, in a batch of 100", of: "BatchLoader.load", caller + share + loading) { times in
            let values = Dictionary(uniqueKeysWithValues: (0..<times).map { ($0, 1) })
            let loader = BatchLoader<Int, Int>(delay: .seconds(1000), maxCount: 100, on: .immediate) { _ in
                Future(values)
            }
            for key in 0..<times { escape(loader.load(key)) }
        },
    ]

    private static let caller = [
        Reason(4, "the caller's future, which asks again in a repetition; its closures; types")
    ]
    private static let share = [Reason(3, "the caller's share of the run, which a cancel releases; its closure; types")]
    private static let latest = [
        promise, Reason(3, "the step that waits; its closure; their types"),
        Reason(3, "the operation's step; the user's closure in it; its types"),
        Reason(3, "the end of the call; its closure; their types"), made,
    ]
    private static let loading = [
        Reason(3, "the step that reads the value of its key; its closure; their types"),
        Reason(2, "a hundredth of the request and of the lists of keys; not quite"),
    ]
    private static let run = [
        Reason(5, "the run; the user's closure in it; its types; the gate that opens it outside of the lock"),
        Reason(6, "the entry of its key, and the listener that removes it when it has completed, with weak references"),
        made, Reason(1, "the array of what is released outside of the lock"),
    ]
}
