// Yielding: how a loop of futures that complete immediately lets other work run.

extension Scheduler {
    /// After how many runs in a row a loop lets other work of this scheduler run. On `.immediate`, which has no queue,
    /// all callbacks in progress return after that number.
    @usableFromInline var yieldInterval: Int { self == .immediate ? ThreadState.deferralLimit : 64 }

    /// Lets other work run if `count` runs of a loop are a multiple of `yieldInterval`, which itself is one of 64: that
    /// test comes first, as it asks nothing of the scheduler.
    ///
    /// Returns nil if the next run may start immediately. Otherwise returns a future that the next run has to wait for,
    /// in a step that is called when the current job has returned (`nextStepOfNode`): runs that complete immediately
    /// would starve the scheduler's other work, and a callback that starts the loop would never return, so that no
    /// cancel would reach the loop.
    @usableFromInline
    func yield<Value: Sendable>(after count: Int, with value: Value) -> Future<Value>? {
        guard count.isMultiple(of: 64), count.isMultiple(of: yieldInterval) else { return nil }
        guard self == .immediate else { return hop(with: value) }
        ThreadState.here.unwind()
        return Future(node: .settled(Result<Value, any Error>.success(value)))
    }
}
