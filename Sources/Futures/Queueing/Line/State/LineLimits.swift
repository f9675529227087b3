// LineLimits: the concurrency limit, the capacity and the rate of a queue.

/// The concurrency limit, the capacity and the rate of a queue.
@usableFromInline
struct LineLimits: Sendable {
    let maxConcurrentCount: Int
    let maxWaitingCount: Int
    let overflow: QueueOverflow
    let rate: RateLimit?

    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` not negative.
    @usableFromInline
    init(
        _ maxConcurrentCount: Int, _ maxWaitingCount: Int = .max, _ rate: RateLimit? = nil,
        overflow: QueueOverflow = .reject, file: StaticString = #fileID, line: UInt = #line
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
        self.overflow = overflow
        self.rate = rate
    }

    /// Traps unless a limit of operations that run concurrently is at least 1.
    static func check(_ maxConcurrentCount: Int, file: StaticString = #fileID, line: UInt = #line) {
        guard maxConcurrentCount >= 1 else {
            fatalError("maxConcurrentCount must be at least 1, or nothing could ever begin.", file: file, line: line)
        }
    }
}
