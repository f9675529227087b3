// retryAfter: how long a server asks its client to wait.

import Foundation

extension HTTPResponse {
    /// The time that the server asks the client to wait before a retry: its `Retry-After`, in seconds or as a date; nil
    /// if it has none that can be read.
    ///
    /// A date is compared with the reply's own `Date`, so that it does not matter if the clocks of the server and the
    /// client differ. A date in the past is zero.
    public var retryAfter: Duration? { retryAfter(at: Date()) }

    /// Returns the time to wait, if the reply has no `Date` and it is `now`.
    func retryAfter(at now: Date) -> Duration? {
        guard let text = field("Retry-After")?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return .seconds(min(Int64(text) ?? .max, Self.longestWait))
        }
        guard let date = Date(httpField: text) else { return nil }
        let origin = field("Date").flatMap { Date(httpField: $0) } ?? now
        return .seconds(min(max(date.timeIntervalSince(origin), 0), Double(Self.longestWait)))
    }

    /// About thirty years, so that sums of durations do not overflow.
    private static let longestWait: Int64 = 1_000_000_000
}

extension HTTPError {
    /// Returns the time that the server asks the client to wait before a retry, or nil: the `minimumDelay` of a
    /// `RetryPolicy`.
    ///
    /// - Parameter error: The error of a request.
    public static func retryAfter(_ error: any Error) -> Duration? {
        guard case .status(let response)? = error as? HTTPError else { return nil }
        return response.retryAfter
    }
}
