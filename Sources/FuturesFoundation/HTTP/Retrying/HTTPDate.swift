// HTTPDate: reads the dates of header fields.

import Foundation

extension Date {
    /// Creates a date from a header field, in one of the three formats of RFC 9110, or returns nil.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT
    ///     Sunday, 06-Nov-94 08:49:37 GMT
    ///     Sun Nov  6 08:49:37 1994
    package init?(httpField text: String) {
        var parts = text.split { " ,-:".contains($0) }.dropFirst().map(String.init)
        // The last format has the month before the day, and the year at the end.
        if parts.count == 6, Self.months.contains(parts[0]) {
            parts = [parts[1], parts[0], parts[5], parts[2], parts[3], parts[4], "GMT"]
        }
        guard parts.count == 7, parts[6] == "GMT" || parts[6] == "UTC",
            let month = Self.months.firstIndex(of: parts[1]).map({ $0 + 1 }),
            let day = Int(parts[0]), var year = Int(parts[2]),
            let hour = Int(parts[3]), let minute = Int(parts[4]), let second = Int(parts[5]),
            (1...31).contains(day), (0...9999).contains(year), (0...23).contains(hour), (0...59).contains(minute),
            (0...60).contains(second)
        else { return nil }
        // Two digits are a year from 1970 to 2069.
        if parts[2].count == 2 { year += year < 70 ? 2000 : 1900 }
        let days = Self.days(year, month, day)
        self.init(timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the number of days from 1970 to a day of the Gregorian calendar, whose years begin in March here.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
