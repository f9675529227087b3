// Combining: what a node that combines others waits for.

extension Node {
    /// Calls `body`, which reads the results of this combination's children.
    ///
    /// The recipe retains the children, so that no listener of theirs has the only reference to one and releases its
    /// value. One that has it later acquires these reads.
    func readChildren(_ body: () -> Void) {
        body()
        for child in combinationOfRecipe?.children ?? [] { child.publishReads() }
    }

    /// Notes what `child` has left unfinished, before it may settle this combination.
    @inline(never)
    func meet(_ child: Unmanaged<Node>) {
        guard let met = child.unfinished, let listeners = lock() else { return }
        combination?.meet(met)
        unlock(listeners)
    }

    /// Stops listening without cancelling the upstream node. Does nothing if this listener was called already.
    func stopListening() {
        // Under the lock, because the job that calls this listener may be running on another thread.
        if case let upstream?? = withLock({ _ in upstream }) { _ = upstream.remove(self) }
    }

    /// The combination of this node, pending or settled. Nil if it combines nothing.
    var combinationOfRecipe: Combination? {
        traits.contains(.combines) ? closure.load(as: Combining.self).call() : nil
    }
}
