// Combining: what a node that combines others waits for, reads, and settles with.

extension Node {
    /// The nodes that this combination waits for: its listeners once it has started, before that its children. Requires
    /// the lock.
    var awaited: [Node] {
        guard let combination else { return [] }
        // While it starts, another thread may be writing `attached`.
        guard case .begun = progress else { return combination.children }
        return combination.listeners ?? combination.children
    }

    /// Calls `body`, which reads the results of this combination's children. Does nothing if the combination has a
    /// result, published or only stored, because the children's results may have been released.
    func readChildren(_ body: () -> Void) {
        guard let listeners = lockToSettleFromOutside() else { return }
        let combination = combination
        combination?.beginReading()
        unlock(listeners)
        body()
        combination?.endReading()
    }

    /// Settles this combination with the result of `child`, unless it already has a result.
    func settleFromOutside(as child: Node) {
        combinationOfRecipe?.noteUse(of: child)
        readChildren { settleFromOutside(copying: child) }
    }

    /// Publishes that this thread has read the result to the thread that releases it, if it may be released early.
    func publishReadsOfResult() {
        if isTracked {
            publishReads()
        } else if isLink {
            target.publishReadsOfResult()
        }
    }

    /// Ends this listener's claim on its source's result. If the parent, a combination, has settled meanwhile, releases
    /// that result: the thread that has settled it found the claim.
    func endsListening(for parent: Unmanaged<Node>?) {
        endClaimOnSource()
        guard let source, source._withUnsafeGuaranteedRef(\.isTracked), let parent else { return }
        parent._withUnsafeGuaranteedRef { parent in
            guard parent.isSettled else { return }
            let isChild = traits.contains(.ofChild)
            source._withUnsafeGuaranteedRef { parent.combinationOfRecipe?.releaseResultLater(of: $0, isChild: isChild) }
        }
    }

    /// Whether the node listens to others, or combines them.
    var hasUpstream: Bool { source != nil || traits.contains(.combines) }

    /// The combination of this node, pending or settled. Nil if it combines nothing.
    var combinationOfRecipe: Combination? {
        guard traits.contains(.combines),
            case .combination(let combination) = closure.load(as: Remaking.self).call(.combination)
        else { return nil }
        return combination
    }
}
