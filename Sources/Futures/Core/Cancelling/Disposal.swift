// Disposal: what cancels wait for while a thread disposes what a future that has ended early does not need any more.

internal import Synchronization

/// A disposal that others have met while it is in progress, and the work that waits for its end.
///
/// A future may end before what it waits for: a `join` fails, a `select` has a winner, a time limit passes. The thread
/// that ends it publishes the result, disposes what has lost, and then calls the listeners. (An operation that
/// completes is disposed before its result is published: see `Node.publish`.)
///
///     ends it ──► result, `Word.disposes` ──► disposes ... ──► `HeldTurns` end the disposal ──► listeners
///                                                 ▲
///                                                 └── a cancel from downstream finds the node settled: its turns wait
///
/// That cancel has nothing to dispose, but the operation's resource is still in use. What is disposed holds the
/// `HeldTurns`, as in a cancel. The disposals that others have met are kept in one table for all nodes, because that is
/// so rare that a node should have no place for it.
///
/// Disposal A *meets* disposal B if a disposable of A cancels something that another thread is disposing in B. A does
/// not wait for B: two that meet each other would wait forever. But the turns behind A wait for A, for B, for the
/// disposals that B has met, and so on. A disposal never waits for a turn.
// Safe to share: the lock of the table protects it.
final class Disposal: @unchecked Sendable {
    /// The turns that wait for the end, and the ends of other disposals that have met this one.
    fileprivate var waiting: [HeldTurns] = []
    /// When it only waits for those: the disposals that parts of this one have met.
    fileprivate var met: [Disposal]?

    /// The disposals in progress among `disposals`, those that they have met, and so on. Requires the lock of the
    /// table.
    fileprivate static func goingOn(among disposals: [Disposal]) -> [Disposal] {
        var (result, seen, pending) = ([Disposal](), Set<ObjectIdentifier>(), disposals)
        while let disposal = pending.popLast() {
            guard seen.insert(ObjectIdentifier(disposal)).inserted else { continue }
            if let met = disposal.met { pending += met } else { result.append(disposal) }
        }
        return result
    }
}

private let disposals = Locked<[ObjectIdentifier: Disposal]>([:])

extension Node {
    /// Whether this node has settled, and a thread is disposing what it did not need any more.
    @usableFromInline var isDisposing: Bool {
        let word = word.load(ordering: .acquiring)
        return word & Word.settled != 0 && word & Word.disposes != 0
    }

    /// Holds `turns` until that has been disposed. If they are part of another disposal, holds the turns among them
    /// when they end (`HeldTurns.release`).
    func holdUntilDisposed(_ turns: HeldTurns) {
        disposals.withLock { disposals in
            let old = word.bitwiseOr(Word.isAwaited, ordering: .acquiringAndReleasing).oldValue
            // Otherwise the disposal has ended, and will not look at the table again.
            guard old & Word.disposes != 0 else { return }
            let disposal = disposals[ObjectIdentifier(self), default: Disposal()]
            disposals[ObjectIdentifier(self)] = disposal
            if turns.isPartOfDisposal { turns.met.append(disposal) } else { disposal.waiting.append(turns.hold()) }
        }
    }

    /// Ends the disposal, or has it wait for those that it has met. When it ends, returns the turns that wait for that.
    func endDisposal(havingMet met: [Disposal]) -> [HeldTurns] {
        if !met.isEmpty, startWaiting(for: met) { return [] }
        let both = Word.disposes | Word.isAwaited
        let old = word.bitwiseAnd(~both, ordering: .acquiringAndReleasing).oldValue
        guard old & Word.isAwaited != 0 else { return [] }
        return disposals.withLock { disposals in
            guard let disposal = disposals.removeValue(forKey: ObjectIdentifier(self)) else { return [] }
            // Not nil, so that others look past it, and no cycle remains.
            disposal.met = []
            defer { disposal.waiting = [] }
            return disposal.waiting
        }
    }

    /// Has the disposal wait, as turns do, for those that it has met. Returns false if all of them have ended.
    private func startWaiting(for met: [Disposal]) -> Bool {
        disposals.withLock { disposals in
            let own = disposals[ObjectIdentifier(self)]
            // First, so that those that have met this one look past it.
            own?.met = met
            let others = Disposal.goingOn(among: met)
            guard !others.isEmpty else { return false }
            let disposal = own ?? Disposal()
            disposal.met = met
            disposals[ObjectIdentifier(self)] = disposal
            word.bitwiseOr(Word.isAwaited, ordering: .relaxed)
            HeldTurns(ending: self).wait(for: others)
            return true
        }
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
    var turnsBehindDisposal: [HeldTurns] { disposals.withLock { $0[ObjectIdentifier(self)]?.waiting ?? [] } }
}

extension HeldTurns {
    /// Passes on the disposals that this object has met, and that are still in progress: to its parts among `turns`,
    /// and to the turns that enclose it, which wait for them. Returns those disposals. Called when this object, which
    /// is part of a disposal, has ended.
    func leavesMet(to turns: [HeldTurns], _ outer: HeldTurns?) -> [Disposal] {
        disposals.withLock { _ in
            let others = Disposal.goingOn(among: met)
            guard !others.isEmpty else { return [] }
            for turns in turns { turns.meets(others) }
            outer?.meets(others)
            return others
        }
    }

    /// Requires the lock of the table.
    private func meets(_ others: [Disposal]) {
        if isPartOfDisposal { met += others } else { wait(for: others) }
    }

    /// Requires the lock of the table.
    fileprivate func wait(for others: [Disposal]) {
        for other in others { other.waiting.append(hold()) }
    }
}
