// Disposal: what cancels wait for while a thread disposes what a future that has ended early does not need any more.

internal import Synchronization

// A future may end before what it waits for: a `join` fails, a `select` has a winner, a time limit passes. The thread
// that ends it publishes the result, disposes what has lost, and then calls the listeners. (An operation that completes
// is disposed before its result is published: see `Node.publish`.)
//
//     ends it ──► result, `Word.disposes` ──► disposes ... ──► `HeldTurns` end the disposal ──► listeners
//                                                 ▲
//                                                 └── a cancel from downstream finds the node settled: its turns wait
//
// That cancel has nothing to dispose, but the operation's resource is still in use. So its `HeldTurns` wait for the end
// of the disposal. If that cancel is part of another disposal, its end waits, too, and so do the turns behind it; but
// two disposals that cancel parts of each other would wait forever, so the second one has only its turns wait.

/// The turns that wait for the end of a disposal, by its node. One table for all nodes, because that is so rare that a
/// node should have no place for it.
private let disposals = Locked<[ObjectIdentifier: [HeldTurns]]>([:])

extension Node {
    /// Whether this node has settled, and a thread is disposing what it did not need any more.
    @usableFromInline var isDisposing: Bool {
        let word = word.load(ordering: .acquiring)
        return word & Word.settled != 0 && word & Word.disposes != 0
    }

    /// Holds `turns` until that has been disposed; if that waits for the end of `turns`, only the turns among them.
    func holdUntilDisposed(_ turns: HeldTurns) {
        disposals.withLock { disposals in
            let old = word.bitwiseOr(Word.isAwaited, ordering: .acquiringAndReleasing).oldValue
            // Otherwise the disposal has ended, and will not look at the table again.
            guard old & Word.disposes != 0 else { return }
            for turns in turns.parts(notEnding: self, disposals) {
                disposals[ObjectIdentifier(self), default: []].append(turns.hold())
            }
        }
    }

    /// Ends the disposal. Returns the turns that wait for that.
    func endDisposal() -> [HeldTurns] {
        let both = Word.disposes | Word.isAwaited
        let old = word.bitwiseAnd(~both, ordering: .acquiringAndReleasing).oldValue
        guard old & Word.isAwaited != 0 else { return [] }
        return disposals.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) ?? [] }
    }

    /// Ends the disposal, unless something waits for that. Returns whether it did.
    func tryEndDisposal() -> Bool {
        var old = word.load(ordering: .relaxed)
        while old & Word.isAwaited == 0 {
            let (isDone, current) = word.compareExchange(
                expected: old, desired: old & ~Word.disposes, ordering: .acquiringAndReleasing)
            if isDone { return true }
            old = current
        }
        return false
    }

    /// The turns that wait for that.
    var turnsBehindDisposal: [HeldTurns] { disposals.withLock { $0[ObjectIdentifier(self)] ?? [] } }
}

extension HeldTurns {
    /// This object; if the disposal of `node` waits for its end, those of its parts for which it does not.
    fileprivate func parts(notEnding node: Node, _ disposals: [ObjectIdentifier: [HeldTurns]]) -> [HeldTurns] {
        var (result, pending) = ([HeldTurns](), [self])
        while let held = pending.popLast() {
            if held.ends(node, disposals) { pending += held.parts } else { result.append(held) }
        }
        return result
    }

    /// Whether the disposal of `node` waits for the end of this object. The caller holds this object: as long as it
    /// does, what this holds does not change.
    private func ends(_ node: Node, _ disposals: [ObjectIdentifier: [HeldTurns]]) -> Bool {
        var pending = [self]
        while let held = pending.popLast() {
            guard held.isPartOfDisposal else { continue }
            if let ending = held.ending {
                if ending === node { return true }
                pending += disposals[ObjectIdentifier(ending)] ?? []
            }
            pending += held.parts
            if let outer = held.outer { pending.append(outer) }
        }
        return false
    }
}
