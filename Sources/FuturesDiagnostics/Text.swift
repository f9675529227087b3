// Text: numbers as a person reads them.

enum Text {
    /// `850 ms`, `4.2 s`, `3 min`, `2.5 h`.
    static func duration(_ duration: Duration) -> String {
        let seconds = max(0, duration / .seconds(1))
        return switch seconds {
        case ..<1: "\(Int((seconds * 1000).rounded())) ms"
        case ..<120: "\(tenths(seconds)) s"
        case ..<7200: "\(tenths(seconds / 60)) min"
        default: "\(tenths(seconds / 3600)) h"
        }
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
    }

    /// `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`.
    static func ordinal(_ number: Int) -> String {
        let suffix =
            switch (number % 100, number % 10) {
            case (11...13, _): "th"
            case (_, 1): "st"
            case (_, 2): "nd"
            case (_, 3): "rd"
            default: "th"
            }
        return "\(number)\(suffix)"
    }
}
