// Walk: a progression that counts to its limit.

import Futures

/// Counts to its limit, one stage for each number.
struct Walk: Progression {
    var number = 0
    let limit: Int
    /// The number whose stage fails.
    var failure: Int?
    /// Has the stages that have run.
    var log: Log<String>?

    func next() -> Deferred<Walk> {
        Deferred {
            log?.add("\(number) runs")
            if number == failure { throw Oops(number) }
            return Walk(number: number + 1, limit: limit, failure: failure, log: log)
        }
    }

    var result: Int? { number == limit ? number : nil }
}
