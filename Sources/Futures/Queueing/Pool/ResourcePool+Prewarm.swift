// prewarm: resources that are created before an operation needs them.

extension ResourcePool {
    /// Creates resources until the pool has `count`, those that are lent or being created included.
    ///
    /// A resource goes to the first operation that waits, or is ready for reuse. An idle resource may be closed after the
    /// pool's `idleTimeout`.
    ///
    /// - Parameters:
    ///   - count: The number of resources; a greater one than the pool's `maxCount` counts as that.
    ///   - file: The file named by the trap if `count` is negative.
    ///   - line: The line named by the trap if `count` is negative.
    /// - Returns: A future that succeeds when they are there. It fails with the first error of `create`, or with that
    ///   of a closed pool; other creations continue. So they do if it is cancelled.
    /// - Precondition: `count` is not negative.
    @discardableResult
    public func prewarm(_ count: Int, file: StaticString = #fileID, line: UInt = #line) -> Future<Void> {
        guard count >= 0 else {
            fatalError("The number of resources to create must not be negative.", file: file, line: line)
        }
        return join(pool.prewarm(upTo: count), cancelNonCompleted: false).asVoid()
    }
}
