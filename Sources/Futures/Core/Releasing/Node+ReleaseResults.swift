// Releasing results: how a chain keeps only the results that other code can still ask for (Contract/Memory.md).

internal import Synchronization

// If only its listener refers to a node, no other code can ask for the node's result, and the listener does not read it
// any more: it has passed the result on, or has been cancelled. A cancel or `wait` does not look upstream of a node that
// has settled. A repetition reads the recipe, and runs it again. That no reader is reading at the moment is what the
// claims say (`Node+Claim.swift`).
//
// Some code still has a reference when a step has passed a result on: the expression that creates the chain, a thread
// that settles or cancels one of its nodes. So the next step tries again, once. A result that is left then lives as
// long as the chain. So do the results of a combination's children.
extension Node {
    /// Releases the result of the source, which this node has passed on, if no code can ask for it any more. Then the
    /// results that the source has left.
    ///
    /// `own`: whether this node's word has the bit `keeps`.
    // Inlined, because most sources have left nothing.
    @inline(__always)
    func releaseSourceResults(own: Bool) {
        if own { releaseKeptResult() }
        // A listener (`Traits.listens`) does this only if it belongs to a combination. The others are those of threads
        // that wait, for instance: a `deinit` of the result may wait for what such a thread does next.
        guard !traits.contains(.listens) || traits.contains(.ofChild), let source,
            source._withUnsafeGuaranteedRef(\.keepsSource)
        else { return }
        source._withUnsafeGuaranteedRef { $0.releaseKeptResult() }
    }

    @inline(never)
    private func releaseKeptResult() {
        if var result = takeKeptResult() { result.release() }
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

    /// Takes out the source's result, on which the bit `keeps` of this node's word has a claim. Returns nil if there is
    /// no such bit, or if other code may read the result.
    private func takeKeptResult() -> Payload? {
        // The claim of another listener may end later than this node's job. Then the node downstream of this one tries
        // again.
        guard keepsSource, let source, source.isUnique,
            source._withUnsafeGuaranteedRef({ Word.claims($0.word.load(ordering: .relaxed)) == 1 })
        else { return nil }
        // This node may have several listeners, on several threads. Only one of them gets the claim.
        guard word.bitwiseAnd(~Word.keeps, ordering: .acquiringAndReleasing).oldValue & Word.keeps != 0 else {
            return nil
        }
        return source._withUnsafeGuaranteedRef { source in
            let result = source.takeResult(claims: 1)
            if result == nil { source.endClaim() }
            return result
        }
    }

    /// Whether this node has settled, and its word has the bit `keeps`.
    private var keepsSource: Bool {
        let word = word.load(ordering: .acquiring)
        // The word of a pending node is an address, in which this bit may be set.
        return word & Word.settled != 0 && word & Word.keeps != 0
    }

    /// Does so when the node was cancelled before its job could settle it. Called as the last step of the job.
    @inline(never)
    func releaseSourceResultOfCancelled() {
        ThreadState.here.endsJob()
        guard source != nil else { return }
        publishReads()
        if traits.contains(.listens) {
            endClaimOnSource()
        } else {
            var result = takeSourceResult()
            result?.release()
            releaseSourceResults(own: false)
        }
    }
}
