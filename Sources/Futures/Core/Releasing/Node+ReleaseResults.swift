// Releasing results: how a chain keeps only the results that other code can still ask for (Contract/Memory.md).

internal import Synchronization

extension Node {
    /// Releases the result of the source, which this node has passed on, if no code can ask for it any more. Also looks
    /// at the source of the source: when the source settled, a variable of the user's may still have referred to that
    /// node.
    ///
    /// If the only reference to a node is that of its listener, code can reach the node through the listener alone, and
    /// does not read its result there. The listener has passed the result on. A cancel or `wait` does not look upstream
    /// of a node that has settled. A repetition reads the recipe, and runs it again. That no reader is reading at the
    /// moment is what the claims say (`Node+Claim.swift`).
    ///
    /// `own`: whether this node's word has the bit `keeps`.
    func releaseSourceResults(own: Bool) {
        if own { releaseSourceResult() }
        guard let source else { return }
        source._withUnsafeGuaranteedRef { if $0.keepsSource { $0.releaseSourceResult() } }
    }

    /// Takes the source's result out early, when this node has read it and waits for an inner node next. Returns nil if
    /// other code may read it.
    func takeSourceResult() -> Payload? {
        guard claimsSource, !traits.contains(.listens), let source,
            source._withUnsafeGuaranteedRef({ $0.word.load(ordering: .relaxed) & Word.tracked != 0 }), source.isUnique,
            let result = source._withUnsafeGuaranteedRef({ $0.takeResult(claims: 1) })
        else { return nil }
        claimsSource = false
        return result
    }

    /// Ends this job's claim on the source's result, when the node was cancelled before the job could settle it, and
    /// releases that result if no other code can ask for it. Otherwise a chain that somebody keeps would keep a value
    /// that nobody has received, such as a permit. Called as the last step of the job.
    @inline(never)
    func releaseSourceResultOfCancelled() {
        publishReads()
        ThreadState.here.endsJob()
        if var result = takeSourceResult() { result.release() }
        releaseSourceResults(own: false)
    }

    private func releaseSourceResult() {
        // The claim of another listener may end later than this node's job. Then the node downstream of this one tries
        // again.
        guard let source, source.isUnique,
            source._withUnsafeGuaranteedRef({ Word.claims($0.word.load(ordering: .relaxed)) == 1 })
        else { return }
        // This node may have several listeners, on several threads. Only one of them gets the claim.
        guard word.bitwiseAnd(~Word.keeps, ordering: .acquiringAndReleasing).oldValue & Word.keeps != 0 else { return }
        source._withUnsafeGuaranteedRef { if !$0.release(claims: 1) { $0.endClaim() } }
    }

    private var keepsSource: Bool {
        let word = word.load(ordering: .acquiring)
        // The word of a pending node is an address, in which this bit may be set.
        return word & Word.settled != 0 && word & Word.keeps != 0
    }
}
