// ReportedCounts: what a report has counted, so that the next one can say what grows.

import Futures

/// How many chains of the same code a report has shown, and when.
struct ReportedCounts: Sendable {
    private let counts: [String: Int]
    private let taken: ContinuousClock.Instant = .now

    /// At most this many groups are kept, the first ones.
    private static let limit = 1000

    /// - Parameter groups: The signature and number of each group of chains.
    init(_ groups: [(String, Int)]) {
        counts = Dictionary(groups.prefix(Self.limit)) { first, _ in first }
    }

    /// How many chains had this signature.
    func count(_ signature: String) -> Int { counts[signature] ?? 0 }

    func age(at now: ContinuousClock.Instant) -> Duration { taken.duration(to: now) }

    /// What the last report has counted.
    private static let last = Locked<ReportedCounts?>(nil)

    /// Stores these counts, and returns those of the report before.
    static func replace(by counts: ReportedCounts) -> ReportedCounts? {
        last.withLock { last in
            defer { last = counts }
            return last
        }
    }
}
