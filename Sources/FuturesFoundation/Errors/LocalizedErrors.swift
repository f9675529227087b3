// The errors of Futures as LocalizedError, so that localizedDescription tells people what happened.

import Foundation
import Futures

// The descriptions are for developers. Those that have source locations, or may, have another text here.

/// An error with a text for people, by default its description.
package protocol DescribedError: LocalizedError, CustomStringConvertible {
    var text: String { get }
}

extension DescribedError {
    package var text: String { description }

    /// What happened, without source locations. `localizedDescription` shows it.
    public var errorDescription: String? { text }
}

extension FutureError: LocalizedError, DescribedError {
    package var text: String {
        switch self {
        case .abandoned: "An operation was abandoned: its result can never come."
        case .timedOut(let duration, _): "There was no result within \(duration.asDelay)."
        case .neitherValueNorError: "A function has called its completion with neither a value nor an error."
        default: description
        }
    }
}

extension QueueError: LocalizedError, DescribedError {
    package var text: String {
        switch self {
        case .deadlock: "An operation waits for another one, which cannot start before it."
        default: description
        }
    }
}

extension AwaitError: LocalizedError, DescribedError {
    // The identifier may be a source location.
    package var text: String { "A function did not call its completion in time." }
}

extension CircuitBreaker.OpenError: LocalizedError, DescribedError {}

extension TooFewSuccessesError: LocalizedError, DescribedError {
    package var text: String { "\(wanted) of \(count) futures had to succeed, but \(failureCount) failed." }

    /// The localized descriptions of the errors of the futures, one a line; nil if there are none.
    public var failureReason: String? {
        let reasons = errors.map(\.localizedDescription)
        return reasons.isEmpty ? nil : reasons.joined(separator: "\n")
    }
}
