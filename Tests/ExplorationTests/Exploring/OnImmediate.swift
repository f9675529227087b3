// Operators whose closures and timers run in place, which clients cannot have.

@testable import Futures

extension Future {
    func repeatedInPlace(delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int) -> Future {
        repeating(Repetition(on: .immediate, .errors, maxRepetitions) { _, _ in .again(after: delay) })
    }

    func hedgedInPlace(after delay: Duration) -> Future { hedged(after: delay, on: .immediate) }
}
