// Future+Deadline: gives up on what takes too long.

import Futures

extension Future {
    /// The same result, or a failure if there is none after `limit`.
    ///
    /// What is too late is cancelled, as the loser of every `select` is; so is the clock if it is not needed.
    func deadline(_ limit: Duration) -> Future {
        select(self, or: Future<Void>().delay(by: limit)).map { first in
            switch first {
            case .left(let value): value
            case .right: throw FetchError.timedOut(limit)
            }
        }
    }
}
