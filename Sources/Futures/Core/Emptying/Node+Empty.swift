// Emptying: how a chain keeps the results that can still be asked for, and no others (Contract/Memory.md).

internal import Synchronization

extension Node {
    /// Releases the source's result, which this node has passed on, if nobody can ask for it any more; and the one of
    /// the source's source, which may have been held by the variable of a loop when it was the source's turn.
    ///
    /// A node whose only reference is that of its listener can be got at through the listener alone, and nobody reads
    /// its result there: the listener has passed it on; a cancel or `wait` does not look behind a node that has
    /// settled; and a repetition reads the recipe, and runs it afresh. That no reader is under way any more, the claims
    /// say (`Node+Claim.swift`).
    func emptySources(own: Bool) {
        if own { emptySource() }
        guard let source else { return }
        source._withUnsafeGuaranteedRef { if $0.keepsSource { $0.emptySource() } }
    }

    /// Takes the source's result out early, when this node has read it and goes on waiting for another one; nil if
    /// others may read it.
    func takeSourceResult() -> Payload? {
        guard claimsSource, !traits.contains(.listens), let source,
            source._withUnsafeGuaranteedRef({ $0.word.load(ordering: .relaxed) & Word.tracked != 0 }), source.isUnique,
            let result = source._withUnsafeGuaranteedRef({ $0.takeResult(claims: 1) })
        else { return nil }
        claimsSource = false
        return result
    }

    private func emptySource() {
        // Another listener's claim ends later than this node's job; the node behind this one looks again.
        guard let source, source.isUnique,
            source._withUnsafeGuaranteedRef({ Word.claims($0.word.load(ordering: .relaxed)) == 1 })
        else { return }
        // This node may have several listeners, on several threads: one of them takes over the claim.
        guard word.bitwiseAnd(~Word.keeps, ordering: .acquiringAndReleasing).oldValue & Word.keeps != 0 else { return }
        source._withUnsafeGuaranteedRef { if !$0.release(claims: 1) { $0.endClaim() } }
    }

    private var keepsSource: Bool {
        let word = word.load(ordering: .acquiring)
        // The list of a pending node is an address, which may have that bit.
        return word & Word.settled != 0 && word & Word.keeps != 0
    }
}
