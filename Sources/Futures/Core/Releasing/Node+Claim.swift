// Claims: which code may read a node's result, and when the result may be released.

public import Synchronization

// A result is released when its node is deallocated, or earlier if no reader exists and none can come. The state word
// counts the readers, by their claims. One kind of reader has no claim: a combination that reads all its children, which
// it retains. A unique reference alone does not prove that no thread reads: a thread can read a result through a
// reference that it borrows, without counting it.
//
//     settles with a result that may be released early ──► tracked, one claim for each listener
//
//     a listener is attached later       + 1     before its job is served
//     code such as `Future.result` reads + 1     while it copies the result
//     a listener's job has finished      - 1     releasing: its reads happen before the release of the result
//     a step has passed the result on      0     its claim passes to the bit `Word.keeps` of the step's own word
//
//     tracked, and no claim but those of the releasing node ──► not tracked, released      acquiring
//
// A result may be released early if its type has something to release, and if a repetition would run its node again.
// Other results are not tracked, and reading them takes no claim. The node that releases a result must also hold the
// only reference to the result's node: then no new reader can come. If a listener is cancelled after its source has
// completed, its own job, which comes nevertheless, releases the result, or keeps its claim.
//
// Operations on the words order each read before the release. A listener publishes what its job has read with its own
// result, or by `publishReads` if another thread has settled the listener. The code that ends the listener's claim
// acquires the listener's word. (The reference that the reader releases orders the two as well, but the thread
// sanitizer does not see that.)
//
//     reader                                         why its result exists
//     a step's job, of its source or inner node      the claim that it has had since it was attached
//     a listener of a combination, `wait`, `await`   the claim that it has had since it was attached
//     a combination that collects results            its recipe retains the children (`readChildren`); it publishes its
//                                                    reads on the children's words
//     `Future.result`, `Node.wait(for:)`, an abort   a claim of its own, see `claimed`
//     `Node.dependency`, of a pending node's source  the claim of that pending node, whose lock the reader holds: the
//                                                    node needs the lock before it can end its claim
//     `Node.run`, `Node.urgency`, of the outcome     the claim of the step whose job it is
//     a mirror                                       that of a future, as `Future.result`; that of a node reads none
extension Node {
    /// Returns the word for `end`. If the result may be released early, it counts a claim for each listener. Requires
    /// the lock.
    func tracking(_ end: UInt) -> UInt {
        payload.type != nil && isRepeatable ? end | Word.tracked | UInt(listenerCount) * Word.claim : end
    }

    /// Whether there is a result that may be released early.
    var isTracked: Bool {
        let word = word.load(ordering: .relaxed)
        return word & Word.settled != 0 && word & Word.tracked != 0
    }

    /// Whether a repetition gets the result by running something. Otherwise the repetition shares this result.
    var isRepeatable: Bool {
        source != nil || !traits.isDisjoint(with: [.begins, .combines, .queued])
    }

    /// Adds the claim of a listener that is attached after this node has settled, before the listener's job is served.
    func addClaim(of listener: Node) {
        guard word.load(ordering: .acquiring) & Word.tracked != 0 else { return }
        beginClaim()
        if listener.waits(for: self) { listener.claimsInner = true } else { listener.claimsSource = true }
    }

    /// Calls `body` with a claim on the result, if reading it takes one. The caller must hold a reference to this node.
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
    func endClaim() {
        let old = word.wrappingSubtract(Word.claim, ordering: .acquiringAndReleasing).oldValue
        checkExplored(Word.claims(old) > 0, "A claim ends that has not begun.")
    }

    /// Publishes what this thread has read to the thread that acquires this word. Needed only where this thread stores
    /// no new word, which would do so.
    func publishReads() { word.bitwiseOr(0, ordering: .releasing) }

    /// Ends a claim on this node's result, if the node has settled with a result that takes claims.
    private func endClaimIfTracked() {
        let word = word.load(ordering: .relaxed)
        if word & Word.settled != 0, word & Word.tracked != 0 { endClaim() }
    }

    /// Ends this listener's claim on its source's result, if it has one. Called in its job, or when it is deallocated.
    // Inlined: most nodes have none.
    @inline(__always)
    func endClaimOnSource() {
        // Acquiring, because the job that has read the source may have run on another thread.
        let word = word.load(ordering: .acquiring)
        if claimsSource || word & Word.settled != 0 && word & Word.keeps != 0 { endOwnClaim() }
    }

    @inline(never)
    private func endOwnClaim() {
        claimsSource = false
        // Not `resolved`: a reference to it would be counted.
        source?._withUnsafeGuaranteedRef {
            if $0.isLink { $0.target.endClaimIfTracked() } else { $0.endClaimIfTracked() }
        }
    }

    /// Releases the inner node, whose result this node does not read any more.
    func releaseInner() {
        guard inner != nil else { return }
        _ = takeInner()
    }

    /// Removes the reference to the inner node, whose result this node does not read any more, and returns it.
    func takeInner() -> Node? {
        guard let inner = inner.take()?.takeRetainedValue() else { return nil }
        endClaim(on: inner)
        return inner
    }

    /// Releases a former inner node, and ends this node's claim on its result.
    func release(_ inner: Unmanaged<Node>) {
        inner._withUnsafeGuaranteedRef { endClaim(on: $0) }
        inner.release()
    }

    private func endClaim(on inner: Node) {
        guard claimsInner else { return }
        claimsInner = false
        inner.endClaimIfTracked()
    }

    /// Prepares this step to leave its claim on the source's result to `Word.keeps`. Returns whether that bit has to be
    /// set. Called under the lock while the step settles in its own job.
    @inline(__always)
    func givesClaimToWord() -> Bool {
        guard claimsSource, !traits.contains(.listens), let source else { return false }
        let word = source._withUnsafeGuaranteedRef { $0.word.load(ordering: .relaxed) }
        // A claim on the node to which a link leads ends when this node is deallocated.
        guard word != Word.linked else { return false }
        claimsSource = false
        return word & Word.tracked != 0
    }

    /// Takes the result out if there are no claims on it but the caller's, whose number is `claims`.
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

extension Unmanaged {
    /// Whether this is the only reference to the object.
    @inline(__always)
    var isUnique: Bool {
        // The same reference, borrowed for the test.
        reachExplorationPoint(.askUnique)
        var object: Instance? = takeRetainedValue()
        defer { _ = object.take().map(Unmanaged.passRetained) }
        return isKnownUniquelyReferenced(&object)
    }
}

#if EXPLORING
    extension Node {
        /// Reports claims that have not ended. Called when the node is deallocated.
        func checkThatClaimsHaveEnded() {
            word.isOwned()
            let word = word.peek()
            let isTracked = word & Word.settled != 0 && word & Word.tracked != 0
            checkExplored(!isTracked || Word.claims(word) == 0, "\(Word.claims(word)) claims have not ended.")
        }
    }
#endif
