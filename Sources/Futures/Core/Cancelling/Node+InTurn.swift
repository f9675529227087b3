// In turn: a cancel of a node whose closure is being called gives back turns in queues when that has returned.

extension Node {
    /// Waits for `future`, as the closure, which was called in its turn, has returned. The caller has this node's lock.
    ///
    /// Takes the lock of `future`, too, unless that has settled: a thread that cancels this node has to find it in its
    /// closure, or in the list of `future`, and not in between (`Traits.inTurn`).
    @inline(never)
    func waitInTurn(for future: Node, _ listeners: Listeners) -> Bool {
        var (future, own, theirs) = (future, Optional(listeners), Listeners?.none)
        // `attempt`, and not `lock`: the thread of the other node may be trying to get both locks, too.
        search: while own != nil, future !== self, !future.traits.contains(.never) {
            switch future.attempt() {
            case .locked(let listeners):
                theirs = listeners
                fallthrough
            case .ended where !future.isLink:
                progress = .begun
                break search
            case .ended, .busy:
                unlock(own!)
                reachExplorationPoint(.wait)
                yieldThread()
                future = future.resolved
                own = lock()
            }
        }
        return own.map { wait(for: future, $0, theirs) } ?? cancelUnneeded(future)
    }

    /// Gives back the turns that wait for the end of the closure of this node, which has settled; if `other`, which the
    /// closure has returned, has ended early, when that has been disposed.
    func releaseTurnsOfClosure(behind other: Unmanaged<Node>) {
        guard case .starting = progress, let turns = takeHeldTurns() else { return }
        other._withUnsafeGuaranteedRef { if $0.isDisposing { $0.holdUntilDisposed(turns) } }
        turns.release()
    }

    /// Takes the turns that wait for the end of the closure of this node, which has settled, unless they wait for the
    /// end of something else.
    func turnsOfClosure() -> HeldTurns? {
        if case .starting = progress { return takeHeldTurns() }
        return traits.contains(.queued) ? takeHeldTurns() : nil
    }

    /// Takes the turns that wait for the end of the closure of this node, which has settled.
    @inline(__always)
    func takeHeldTurns() -> HeldTurns? { localSlot.isEmpty ? nil : takeTurnsKept() }

    @inline(never)
    private func takeTurnsKept() -> HeldTurns? {
        guard let turns = local as? HeldTurns else { return nil }
        _ = takeLocal()
        return turns
    }
}
