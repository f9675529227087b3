// The errors of Futures as LocalizedError, so that localizedDescription tells people what happened.

public import Foundation
public import Futures

// The descriptions are for developers. Those that have source locations, or may, have another text here.

extension FutureError: LocalizedError {
    /// What happened, without source locations. `localizedDescription` shows it.
    public var errorDescription: String? {
        switch self {
        case .abandoned: "An operation was abandoned: its result can never come."
        case .timedOut(let duration, _): "There was no result within \(duration.rounded)."
        case .neitherValueNorError: "A function has called its completion with neither a value nor an error."
        default: description
        }
    }
}

extension QueueError: LocalizedError {
    /// What happened, without source locations. `localizedDescription` shows it.
    public var errorDescription: String? {
        switch self {
        case .deadlock: "An operation waits for another one, which cannot start before it."
        default: description
        }
    }
}

extension AwaitError: LocalizedError {
    /// What happened, without the identifier, which may be a source location. `localizedDescription` shows it.
    public var errorDescription: String? { "A function did not call its completion in time." }
}

extension CircuitBreaker.OpenError: LocalizedError, DescribedError {}

/// An error whose description is for people, too.
package protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The description, which `localizedDescription` shows.
    public var errorDescription: String? { description }
}

extension TooFewSuccessesError: LocalizedError {
    /// The number of futures that had to succeed, and how many failed. `localizedDescription` shows it.
    public var errorDescription: String? {
        "\(wanted) of \(count) futures had to succeed, but \(errors.count) failed."
    }

    /// The localized descriptions of the errors of the futures, one a line; nil if there are none.
    public var failureReason: String? {
        let reasons = errors.map(\.localizedDescription)
        return reasons.isEmpty ? nil : reasons.joined(separator: "\n")
    }
}
