// Operators whose closures and timers run in place: clients choose that by the code that attaches them.

import Futures

extension Future {
    func repeatedInPlace(delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int) -> Future {
        Scheduler.immediate.perform { onErrorRepeat(delayBetweenRepetitions: delay, maxRepetitions: maxRepetitions) }
    }

    func hedgedInPlace(after delay: Duration) -> Future {
        Scheduler.immediate.perform { hedged(after: delay) }
    }
}
