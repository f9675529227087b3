// Disposal: what cancels wait for while a thread disposes what a future that has ended early does not need any more.

internal import Synchronization

// A future may end before what it waits for: a `join` fails, a `select` has a winner, a time limit passes. The thread that
// ends it publishes the result, disposes what has lost, and then calls the listeners:
//
//     ends it ──► result, `Word.disposes` ──► disposes ... ──► `HeldTurns` end the disposal ──► listeners
//                                                 ▲
//                                                 └── a cancel from downstream finds the node settled: its turns wait
//
// That cancel has nothing to dispose, but the operation's resource is still in use. What is disposed holds the `HeldTurns`,
// as in a cancel. The turns that wait are kept in one table for all nodes, because that is so rare that a node should have
// no place for it.
private let turnsBehind = Locked<[ObjectIdentifier: [HeldTurns]]>([:])

extension Node {
    /// Whether this node has settled, and a thread is disposing what it did not need any more.
    var isDisposing: Bool {
        let word = word.load(ordering: .acquiring)
        return word & Word.settled != 0 && word & Word.disposes != 0
    }

    /// Holds `turns` until that has been disposed, or those of them that may wait for that.
    func holdUntilDisposed(_ turns: HeldTurns) {
        turns.forEachThatMayWait { turns in
            turnsBehind.withLock { turnsBehind in
                let old = word.bitwiseOr(Word.isAwaited, ordering: .acquiringAndReleasing).oldValue
                // Otherwise the disposal has ended, and will not look at the table again.
                if old & Word.disposes != 0 { turnsBehind[ObjectIdentifier(self), default: []].append(turns.hold()) }
            }
        }
    }

    /// Ends the disposal: gives back the turns that wait for that. None of them is part of a disposal, so this does not
    /// recurse.
    func endDisposal() {
        let both = Word.disposes | Word.isAwaited
        let old = word.bitwiseAnd(~both, ordering: .acquiringAndReleasing).oldValue
        guard old & Word.isAwaited != 0 else { return }
        for turns in turnsBehind.withLock({ $0.removeValue(forKey: ObjectIdentifier(self)) }) ?? [] { turns.release() }
    }

    /// Ends the disposal, unless turns wait for that. Returns whether it did.
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
    var turnsBehindDisposal: [HeldTurns] { turnsBehind.withLock { $0[ObjectIdentifier(self)] } ?? [] }
}
