// Burying: how nodes are deallocated, without recursion.

extension Node {
    /// Releases what the node held.
    ///
    /// A chain of a million nodes would overflow the stack if each released its source; and so would a million values
    /// or closures that hold the next node each.
    func bury() {
        leaveDormant()
        if parent != nil { releaseWhatItsJobReads() }
        let hasContexts = closureSlot.hasContext || operationSlot.hasContext
        if hasContexts || payload.type != nil || inner != nil || !localSlot.isEmpty || cellReference != nil {
            let releases = DeferredReleases.here
            releases.collect { deferContents(to: releases) }
        }
        releaseSources()
        if scheduler._withUnsafeGuaranteedRef({ !$0.isImmortal }) { releaseScheduler() }
    }

    private func releaseScheduler() {
        let releases = DeferredReleases.here
        // An actor goes with its scheduler, and its deinit is code of users.
        if releases.isDeferring, scheduler._withUnsafeGuaranteedRef({ $0.backend.isIsolating }) {
            releases.add(scheduler.takeRetainedValue())
        } else {
            scheduler.release()
        }
    }

    private func deferContents(to releases: DeferredReleases) {
        if closureSlot.hasContext { releases.add(closure: closureSlot.take(as: Closure.self).call) }
        // Of another type, but closures are all alike to the one who only releases them: see `Closure`.
        if operationSlot.hasContext { releases.add(closure: operationSlot.take(as: Closure.self).call) }
        if payload.type != nil {
            let result = payload.take()
            if let type = result.type { releases.add(result.words, as: type) }
        }
        if let inner = takeInner() { releases.add(inner) }
        if let local = takeLocal() { releases.add(local) }
        if let cell = takeCell() { releases.add(cell) }
    }

    private func releaseSources() {
        endClaimOnSource()
        var next = source.take()
        while let reference = next {
            next = nil
            var node: Node? = reference.takeRetainedValue()
            // With the only reference, nobody else can come by the node: its source may be taken before it goes. First
            // it leaves the list of a dormant source, which it could not find any more in its own deinit.
            if isKnownUniquelyReferenced(&node) {
                node?.leaveDormant()
                node?.endClaimOnSource()
                next = node?.source.take()
            }
        }
    }
}
