// Claims: who may read a node's result, and when it may be released.

public import Synchronization

// A result is released when its node is deallocated; or earlier, when no reader exists or can come. The state
// word says so, and nothing else does: that a reference is the only one is a fact about counts, not about readers. (A
// `join` that was cancelled while another thread read its children's values released them under that thread.)
//
//     settles with a result that may be released early ──► tracked, one claim for each listener
//
//     a listener attaches later           + 1     before its job is served
//     `Future.result`, and what reads it  + 1     for as long as it takes to copy the result
//     a listener's job is over            - 1     releasing: what it read happens before the release of the result
//     a step has passed the result on       0     its claim belongs to `Word.keeps` of its own word from then on
//
//     tracked, and no claim but that of the node that releases ──► not tracked, released      acquiring
//
// What may be released early is a result that has to be destroyed, of a node that a repetition runs afresh; other
// results are not tracked, and take no claim. A node that releases must hold the only reference to the other one, too:
// no reader can come then. If a listener is cancelled between the completion of its source and its own job, its claim
// ends when the listener is deallocated; that costs memory only.
//
// Each read happens before the release, by operations on the words: a listener shows what its job has read with its own
// result, or by `publishReads` if another thread has settled it, and whoever ends its claim acquires its word. (The
// reference that the reader gives up orders the two as well, but the thread sanitizer does not see that.)
//
//     reader                                       why its result is there
//     a step's job, of its source or inner node    the claim it has had since it was attached
//     a listener of a combination, `wait`, `await` the same
//     a combination that collects all results      `Combination.beginReading`, see `readChildren`; it shows its reads on
//                                                  the children's words
//     `Future.result`, `wait(for:)`, an abort      a claim of its own, see `claimed`
//     `Node.dependency`, of a pending node's source the lock of that node, which needs it to end its claim
//     `Node.run`, `Node.urgency`, of the outcome   the claim of the step, whose job it is
//     a debugger's mirror                          reads none
extension Node {
    /// The end as the word says it, with a claim for each listener if the result may be released early. Under the lock.
    func tracking(_ end: UInt) -> UInt {
        payload.type != nil && isRepeatable ? end | Word.tracked | UInt(listenerCount) * Word.claim : end
    }

    /// Whether a repetition gets the result by running something; else it shares this one.
    var isRepeatable: Bool {
        source != nil || !traits.isDisjoint(with: [.begins, .combines, .queued])
    }

    /// A listener comes when this node has settled: its claim, before its job is served.
    func addClaim(of listener: Node) {
        guard word.load(ordering: .acquiring) & Word.tracked != 0 else { return }
        beginClaim()
        if listener.waits(for: self) { listener.claimsInner = true } else { listener.claimsSource = true }
    }

    /// Calls `body` with a claim on the result, if it needs one. The caller must hold a reference to this node.
    @inlinable
    func claimed<T>(_ body: () -> T) -> T {
        guard word.load(ordering: .acquiring) & Word.tracked != 0 else { return body() }
        beginClaim()
        defer { endClaim() }
        return body()
    }

    @usableFromInline
    func beginClaim() { word.wrappingAdd(Word.claim, ordering: .acquiring) }

    @usableFromInline
    func endClaim() { word.wrappingSubtract(Word.claim, ordering: .releasing) }

    /// Shows the thread that acquires this word what this thread has read; for a node whose word it does not change.
    func publishReads() { word.bitwiseOr(0, ordering: .releasing) }

    /// Ends a claim, if this node has settled with a result that takes any.
    private func endClaimIfTracked() {
        let word = word.load(ordering: .relaxed)
        if word & Word.settled != 0, word & Word.tracked != 0 { endClaim() }
    }

    /// Ends the claim of this node, which is a listener, on its source's result: in its job, or when it is deallocated.
    func endClaimOnSource() {
        // Acquiring: the job that read the source may have been another thread's.
        let word = word.load(ordering: .acquiring)
        guard claimsSource || word & Word.settled != 0 && word & Word.keeps != 0 else { return }
        claimsSource = false
        source?._withUnsafeGuaranteedRef { $0.resolved.endClaimIfTracked() }
    }

    /// Releases the inner node, whose result is not read any more.
    func releaseInner() {
        guard inner != nil else { return }
        _ = takeInner()
    }

    /// Gives away the reference to the inner node, whose result is not read any more.
    func takeInner() -> Node? {
        guard let inner = inner.take()?.takeRetainedValue() else { return nil }
        endClaim(on: inner)
        return inner
    }

    /// Releases what was the inner node.
    func release(_ inner: Unmanaged<Node>) {
        inner._withUnsafeGuaranteedRef { endClaim(on: $0) }
        inner.release()
    }

    private func endClaim(on inner: Node) {
        guard claimsInner else { return }
        claimsInner = false
        inner.endClaimIfTracked()
    }

    /// Whether this step, which is about to settle, has a claim to leave to `Word.keeps`. In its own job, under the
    /// lock.
    func givesClaimToWord() -> Bool {
        guard claimsSource, !traits.contains(.listens), let source else { return false }
        let word = source._withUnsafeGuaranteedRef { $0.word.load(ordering: .relaxed) }
        // That of the node to which a link leads ends when this node is deallocated.
        guard word != Word.linked else { return false }
        claimsSource = false
        return word & Word.tracked != 0
    }

    /// Releases the result, if the only claims on it are the caller's, which are `claims`; returns whether it did.
    func release(claims: UInt) -> Bool {
        guard var result = takeResult(claims: claims) else { return false }
        result.release()
        return true
    }

    /// Takes the result out, if the only claims on it are the caller's, which are `claims`.
    func takeResult(claims: UInt) -> Payload? {
        var current = word.load(ordering: .relaxed)
        while current & Word.settled != 0, current & Word.tracked != 0, Word.claims(current) == claims {
            let released = current & (Word.claim - 1) & ~Word.tracked
            let (exchanged, original) = word.compareExchange(
                expected: current, desired: released, successOrdering: .acquiringAndReleasing,
                failureOrdering: .relaxed)
            if exchanged {
                let result = payload.take()
                payload.poison()
                return result
            }
            current = original
        }
        return nil
    }
}

extension Unmanaged where Instance == Node {
    /// Whether there is this one reference only.
    var isUnique: Bool {
        // The same reference, for as long as it takes to look.
        var node: Node? = takeRetainedValue()
        defer { _ = node.take().map(Unmanaged.passRetained) }
        return isKnownUniquelyReferenced(&node)
    }
}
