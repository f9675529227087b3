// Carried values: how a node captures the task-local values that its closure is called with.

extension Node {
    /// Prepares this node, which is about to be attached to its source, to start, or to be enqueued.
    @inline(never)
    func prepareToStart() {
        if Recording.isCarrying { capture() }
        if Recording.isOn { recordStarting() }
    }

    @inline(never)
    func prepareToAttach() {
        if Recording.isCarrying { capture() }
        if Recording.isOn { recordAttached() }
    }

    /// For a step of the library that a transform returns: the node that waits for it is recorded instead.
    @inline(never)
    func prepareToServeNext() {
        if Recording.isCarrying { capture() }
        if Recording.isOn { _ = source!.takeUnretainedValue().resolved.mark(Marks.observed) }
    }

    /// Captures the values that are carried here. In the node's own job they are what it has captured already.
    // Not under the lock: a node that others know captures nothing else.
    @inline(never)
    func capture() {
        guard let current = Carried.current else { return replaceCarried(by: nil) }
        // Mostly the source has them, perhaps with the same scheduler.
        guard let above = source?.takeUnretainedValue().scheduler.takeUnretainedValue(), let known = above.carried,
            known.isSame(as: current)
        else { return replaceCarried(by: Carried.here) }
        let own = scheduler.takeUnretainedValue()
        if above.place === own.place { replaceScheduler(by: above) } else { replaceCarried(by: known) }
    }

    /// Has this node, which repeats `other`, call its closure with the same values.
    func carryLike(_ other: Node) {
        if Recording.isCarrying { replaceCarried(by: other.carried) }
    }

    private func replaceCarried(by new: Carried?) {
        let own = scheduler.takeUnretainedValue()
        if own.carried !== new { replaceScheduler(by: own.carrying(new)) }
    }

    private func replaceScheduler(by new: Scheduler) {
        let old = scheduler
        guard old.takeUnretainedValue() !== new else { return }
        scheduler = new.isImmortal ? .passUnretained(new) : .passRetained(new)
        if !old.takeUnretainedValue().isImmortal { old.release() }
    }
}

extension QueuedNode {
    /// Enqueues this copy, unless it was cancelled before, with the values of what it repeats: it captures no others.
    func enqueueCopy() {
        guard !isSettled else { return }
        if Recording.isCarrying { Carried.with(carried) { enqueue() } } else { enqueue() }
    }
}
