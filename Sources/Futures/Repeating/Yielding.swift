// Yielding: how a loop of futures that complete immediately lets other work run.

extension Scheduler {
    /// Lets other work run if `count` runs of a loop are a multiple of 64.
    ///
    /// Returns nil if the next run may start immediately. Otherwise returns a future that the next run has to wait for,
    /// in a step that is called when the current job has returned (`stepOfNode` with `servedNext`): runs that complete
    /// immediately would starve the scheduler's other work, and on `.immediate`, which has no queue, what these runs
    /// have led to.
    @usableFromInline
    func yield<Value: Sendable>(after count: Int, with value: Value) -> Future<Value>? {
        guard count.isMultiple(of: 64) else { return nil }
        if self == .immediate { return Future(node: .settled(Result<Value, any Error>.success(value))) }
        let node = unstartedHop(with: value)
        node.start()
        return Future(node: node)
    }
}
