// Tearing down: how nodes are deallocated without recursion.

internal import Synchronization

extension Node {
    /// Releases what the node holds.
    ///
    /// If each node released its source, a chain of a million nodes would overflow the stack. So would a million values
    /// or closures, each of which holds the next node.
    func tearDown() {
        if marks.contains(Marks.recorded) { Recording.recorder?.released(self) }
        if parent != nil { releaseWhatItsJobReads() }
        // The listeners of a combination share one closure, which is the library's.
        if traits.contains(.ofChild) { closureSlot.releaseIfShared() }
        let hasContexts = closureSlot.hasContext || operationSlot.hasContext
        if hasContexts || payload.type != nil || inner != nil || localObject != nil || parentOrCell != nil {
            let releases = DeferredReleases.here
            releases.collect { deferContents(to: releases) }
        }
        if source != nil { releaseSources() }
        if scheduler._withUnsafeGuaranteedRef({ !$0.isImmortal }) { releaseScheduler() }
    }

    private func releaseScheduler() {
        let releases = DeferredReleases.here
        // An actor is released with its scheduler. Its deinit is user code.
        if releases.isDeferring, scheduler._withUnsafeGuaranteedRef({ $0.isIsolating }) {
            releases.add(scheduler.takeRetainedValue())
        } else {
            scheduler.release()
        }
    }

    private func deferContents(to releases: DeferredReleases) {
        closureSlot.release(in: releases)
        operationSlot.release(in: releases)
        if let type = payload.type.take() { releases.add(payload.words, as: type) }
        if let inner = takeInner() { releases.add(inner) }
        if let local = takeLocal() { releases.add(local.object) }
        if let cell = takeCell() { releases.add(cell) }
    }

    private func releaseSources() {
        // Acquires what this node's job has read, for `publishReads`.
        _ = word.load(ordering: .acquiring)
        var next = source.take()
        while let reference = next {
            next = nil
            var node: Node? = reference.takeRetainedValue()
            // With the only reference, no other thread can reach the node, except for a report of diagnosing, which has
            // a weak reference. So its source may be taken before the node is released.
            reachExplorationPoint(.askUnique)
            if isKnownUniquelyReferenced(&node) {
                #if EXPLORING
                    node?.word.isOwned()
                #endif
                _ = node?.word.load(ordering: .acquiring)
                next = node?.takeSource()
            } else {
                node?.publishReads()
            }
        }
    }

    /// Takes the source of this node, to which no strong reference is left but that of the caller.
    // A report may load a node from its record nevertheless. It reads the source under the lock.
    private func takeSource() -> Unmanaged<Node>? {
        guard marks.contains(Marks.recorded), let listeners = lock() else { return source.take() }
        defer { unlock(listeners) }
        return source.take()
    }
}
