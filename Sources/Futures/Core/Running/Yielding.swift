// Yielding: how a loop of futures that complete immediately lets other work run.

extension Scheduler {
    /// Lets other work run if `count` runs of a loop are a multiple of 64.
    ///
    /// Returns nil if the next run may start immediately. Otherwise returns a future that the next run has to wait for,
    /// in a step that is called when the current job has returned (`nextStepOfNode`): runs that complete immediately
    /// would starve the scheduler's other work, and on `.immediate`, which has no queue, what these runs have led to.
    @usableFromInline
    func yield<Value: Sendable>(after count: Int, with value: Value) -> Future<Value>? {
        guard count.isMultiple(of: 64) else { return nil }
        guard self == .immediate else { return hop(with: value) }
        return Future(node: .settled(Result<Value, any Error>.success(value)))
    }
}
