// LineLimits: the concurrency limit, the capacity and the rate of a queue.

/// The concurrency limit, the capacity and the rate of a queue.
@usableFromInline
package struct LineLimits: Sendable {
    let maxConcurrentCount: Int
    let maxWaitingCount: Int
    let rate: RateLimit?
    /// How many operations of a key run concurrently; nil in a queue without keys.
    let maxConcurrentCountPerKey: Int?
    /// How often operations of a key start.
    let ratePerKey: RateLimit?

    /// Where the time of the rates is measured; nil if there are none.
    var clock: Scheduler? { (rate ?? ratePerKey)?.scheduler }

    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` not negative.
    @usableFromInline
    package init(
        _ maxConcurrentCount: Int, _ maxWaitingCount: Int = .max, _ rate: RateLimit? = nil,
        maxConcurrentCountPerKey: Int? = nil, ratePerKey: RateLimit? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        Self.check(maxConcurrentCount, file: file, line: line)
        guard maxWaitingCount >= 0 else {
            fatalError(
                "maxWaitingCount must not be negative. Use 0 to refuse operations that cannot start immediately.",
                file: file,
                line: line)
        }
        self.maxConcurrentCount = maxConcurrentCount
        self.maxWaitingCount = maxWaitingCount
        self.rate = rate
        self.maxConcurrentCountPerKey = maxConcurrentCountPerKey
        self.ratePerKey = ratePerKey
    }

    /// Traps unless a limit of operations that run concurrently is at least 1.
    static func check(
        _ limit: Int, _ name: String = "maxConcurrentCount", file: StaticString = #fileID, line: UInt = #line
    ) {
        guard limit >= 1 else {
            fatalError("\(name) must be at least 1, or no operation could start.", file: file, line: line)
        }
    }
}
