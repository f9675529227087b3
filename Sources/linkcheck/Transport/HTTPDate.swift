// HTTPDate: dates and delays in header fields.

import Foundation
import FuturesFoundation

/// The two forms of the `Retry-After` field: seconds, and a date.
enum RetryAfter {
    static func delay(_ text: String, now: Date) -> Duration? {
        if let seconds = Int(text) { return .seconds(min(max(seconds, 0), 1_000_000)) }
        guard let date = Date(httpField: text) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(now).rounded(.up), 0), 1_000_000))
    }
}

/// Dates in the format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    static func text(_ date: Date) -> String { formatter.string(from: date) }

    private static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter
    }
}
