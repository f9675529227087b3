// Unreachable nodes: chains that wait for `Future.never` are deallocated when they are unreferenced.

extension Node {
    /// Makes this node and the nodes that listen to it unreachable: only a cancel from downstream, or the
    /// signal of an `abort`, can settle them.
    ///
    /// A list retains its listeners, and a listener retains its source and its parent. This reference cycle is broken
    /// when the source settles. A promise or closure that has to complete the source makes sure that it settles. For
    /// `Future.never`, there is none. So the list of an unreachable node does not retain its listeners, except for
    /// lasting watchers, which do not retain it; and an unreachable listener has only a weak reference to its parent.
    /// They are deallocated when no other code refers to them, and leave the list in their `deinit`.
    ///
    /// A queued node may also be ended by its queue, which holds it. So it is asked first (`cannotComplete`).
    func markUnreachable() {
        var falling = [self]
        while let node = falling.popLast() {
            if let queued = node.queued, !queued.cannotComplete() { continue }
            // Its timer will end it.
            if node.traits.contains(.timed) { continue }
            guard let listeners = node.lock() else { continue }
            let isFirst = !node.isUnreachable
            let listening = isFirst ? listeners.prefix(.max) : []
            let parent = isFirst ? node.parent : nil
            node.isUnreachable = true
            // `Future.never` itself cannot even be cancelled, so its listeners need no parent.
            if let parent, node.upstream?.traits.contains(.never) == false {
                node.keepLocal(WeakNode(parent.takeUnretainedValue()))
            }
            let lasting = listening.filter { $0.traits.contains(.lasting) }
            let theirSources = lasting.compactMap { $0.source.take() }
            // Links retain the cell, which retains the node that they lead to. If that node never settles, its
            // reference to the cell would be a reference cycle.
            let cell = node.takeCell()
            node.unlock(listeners)
            withExtendedLifetime(cell) {}
            for source in theirSources { source.release() }
            for listener in listening where !listener.traits.contains(.lasting) {
                Unmanaged.passUnretained(listener).release()
                falling.append(listener)
            }
            if let parent = parent?.takeRetainedValue(), parent.losesChild() { falling.append(parent) }
        }
    }

    /// The parent of a listener whose job runs, if it is not being deallocated.
    @inline(never)
    func parentIfAlive() -> Node? {
        guard let listeners = lock() else { return nil }
        defer { unlock(listeners) }
        guard isUnreachable else { return parent?.takeUnretainedValue() }
        return local.flatMap { unsafeDowncast($0, to: WeakNode.self).node }
    }

    /// Releases the lasting listeners of a node that is deallocated without having settled.
    // Out of line, as is `addToUnreachable`: few nodes are unreachable, and what each node does would cost more.
    @inline(never)
    func releaseLastingListeners() {
        guard var listeners = lock() else { return }
        let jobs = listeners.take()
        unlock(listeners)
        jobs.release()
    }

    /// Counts a child of this node that has ended: a timer, or the node to which `listener` listens. If all the
    /// children that remain are unreachable, so is this node. (An unreachable child was counted when it became so.)
    func childEnded(of listener: Node? = nil) {
        if listener?.isUnreachable != true, losesChild() { markUnreachable() }
    }

    /// Counts one child less, and returns whether no other child could settle this node.
    private func losesChild() -> Bool {
        guard let listeners = lock() else { return false }
        defer { unlock(listeners) }
        // A node that has a result, and has only not published it yet, still has to serve its listeners.
        guard !hasStoredResult else { return false }
        childCount -= 1
        return childCount == 0
    }

    /// Leaves the list that does not retain this node: that of an unreachable source. A queued node may be in such a
    /// list without being unreachable itself, because its queue can end it; so may a step with a timer.
    func leaveUnreachableSource() {
        let mayBeInItsList = !traits.isDisjoint(with: [.queued, .timed])
        if isUnreachable || mayBeInItsList && !isSettled { _ = upstream?.remove(self) }
    }
}

extension QueuedNode {
    /// Makes this node unreachable if it waits for a node that never completes.
    func markUnreachableIfItWaitsForNever() {
        if waitsForNever { markUnreachable() }
    }

    private var waitsForNever: Bool {
        guard let listeners = lock() else { return false }
        let upstream = upstream
        unlock(listeners)
        guard let upstream, !upstream.traits.contains(.never) else { return upstream != nil }
        guard let others = upstream.lock() else { return false }
        defer { upstream.unlock(others) }
        return upstream.isUnreachable
    }
}

/// A weak reference to a node. An unreachable listener keeps one to its parent.
// Safe to share: only the runtime writes `node`, when it sets it to nil.
final class WeakNode: Disposable, @unchecked Sendable {
    private(set) weak var node: Node?

    @inline(never)
    init(_ node: Node) { self.node = node }

    func dispose() {}
}

extension Listeners {
    /// Adds a listener to the list of an unreachable node, which retains it only if it is lasting. Such a listener
    /// gives up its reference to its source, which is returned, to be released without the lock.
    @inline(never)
    mutating func addToUnreachable(_ listener: Node) -> Unmanaged<Node>? {
        let isLasting = listener.traits.contains(.lasting)
        add(listener, retained: isLasting)
        return isLasting ? listener.source.take() : nil
    }
}

extension JobList {
    /// Releases the jobs without running them.
    // Out of line: inlined, the optimizer retains the first job behind the unlock of the list that it came from. The
    // list owns a reference, so that would be safe, but `.ci/retains` could not tell.
    @inline(never)
    fileprivate consuming func release() {
        while let job = popFirst() {
            var released: Job? = job
            DeferredReleases.here.release(&released)
        }
    }
}
