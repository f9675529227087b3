// The errors of Futures as LocalizedError, so that localizedDescription says what happened.

public import Foundation
public import Futures

extension FutureError: LocalizedError {
    /// The description, which `localizedDescription` shows.
    public var errorDescription: String? { description }
}

extension QueueError: LocalizedError {
    /// The description, which `localizedDescription` shows.
    public var errorDescription: String? { description }
}

extension AwaitError: LocalizedError {
    /// The description, which `localizedDescription` shows.
    public var errorDescription: String? { description }
}

extension TooFewSuccessesError: LocalizedError {
    /// The description, which `localizedDescription` shows.
    public var errorDescription: String? { description }

    /// The descriptions of the errors of the futures, one a line; nil if there are none.
    public var failureReason: String? {
        let reasons = errors.map(\.localizedDescription)
        return reasons.isEmpty ? nil : reasons.joined(separator: "\n")
    }
}
