// Walk: a progression that counts to its limit.

import Futures

/// Counts to its limit, one stage for each number.
struct Walk: Progression {
    var number = 0
    let limit: Int
    /// Has the stages that have run.
    var log: Log<String>?

    func next() -> Deferred<Walk> {
        Deferred {
            log?.add("\(number) runs")
            return Walk(number: number + 1, limit: limit, log: log)
        }
    }

    var result: Int? { number == limit ? number : nil }
}
