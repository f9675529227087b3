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

extension Scheduler {
    /// Returns a root that succeeds with `value` in another job of this scheduler, once it is started.
    func unstartedHop(with value: some Sendable) -> Node {
        // Without `tryStart`: with it, if the hop completed meanwhile, the thread that starts it would serve its
        // listeners.
        Node(source: nil, on: self, [.begins, .later], Closure()) { node, _ in
            if node.tryBegin(as: .begun) { self.async { node.settleFromOutside(value) } }
        }
    }

    /// Whether this is the current scheduler and a concurrent one, so that jobs can run concurrently with this
    /// callback.
    var hasBeside: Bool { !backend.isSerial && self != .immediate && isCurrent }
}
