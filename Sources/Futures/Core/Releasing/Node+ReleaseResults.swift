// Releasing results: how a chain keeps only the results that other code can still ask for (Contract/Memory.md).

internal import Synchronization

// If only its listener, or the recipe of its combination, refers to a node, no other code can ask for the node's
// result, and these two do not read it any more: the listener has passed the result on, or has been cancelled. A cancel
// or `wait` does not look upstream of a node that has settled. A repetition reads the recipe, and runs it again. That
// no reader is reading at the moment is what the claims say (`Node+Claim.swift`).
//
// Some code still has a reference when a step has passed a result on: the expression that creates the chain, a thread
// that settles or cancels one of its nodes. So there are several attempts:
//
//     a step has passed a result on    its source's result, and what the source has left: that of the source's source,
//                                      or those of the children of a combination
//     a combination has settled        its children's results
//     a cancelled step's job comes     all results upstream that are left; again later, as long as some are left
//     a cancel ends a step that waits  the same
//     for its inner node, or finds
//     that the source has settled
//
// A chain that continues uses the values that it gets, so the rest of them costs only memory. No code uses a value
// that a cancelled step should have got, or that of a future that lost: if that is a permit, others wait for it. So for
// those there are attempts until one succeeds (`LateRelease`).
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
            source._withUnsafeGuaranteedRef({ $0.keepsSource || $0.traits.contains(.combines) })
        else { return }
        Self.releaseWhatIsLeft(by: source)
    }

    @inline(never)
    private func releaseKeptResult() {
        if var result = takeKeptResult() { result.release() }
    }

    @inline(never)
    private static func releaseWhatIsLeft(by source: Unmanaged<Node>) {
        // Whether the source has one listener, and no other reference to it exists. Otherwise each of many listeners
        // would look at all children.
        let isUnique = source.isUnique
        source._withUnsafeGuaranteedRef { source in
            if let combination = source.combinationOfRecipe {
                if isUnique { combination.releaseResults() }
            } else {
                source.releaseKeptResult()
            }
        }
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
    func takeKeptResult() -> Payload? { source.flatMap { Self.takeResult(of: $0, keptBy: word) } }

    /// Does the same for a node without the node itself: `source` and `word` are its own.
    static func takeResult(of source: Unmanaged<Node>, keptBy word: borrowing Atomic<UInt>) -> Payload? {
        // The claim of another listener may end later than this node's job. Then the node downstream of this one tries
        // again.
        guard Word.keepsSource(word), source.isUnique,
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

    var keepsSource: Bool { Word.keepsSource(word) }
}

extension Word {
    /// Whether the bit `keeps` is set in the word of a node that has settled.
    static func keepsSource(_ word: borrowing Atomic<UInt>) -> Bool {
        let word = word.load(ordering: .acquiring)
        // The word of a pending node is an address, in which this bit may be set.
        return word & settled != 0 && word & keeps != 0
    }
}

// What a cancelled chain has not passed on.
extension Node {
    /// Ends this job's claim on the source's result, when the node was cancelled before the job could settle it, and
    /// releases the results that no listener has received. Called as the last step of the job.
    @inline(never)
    func releaseSourceResultOfCancelled() {
        ThreadState.here.endsJob()
        guard source != nil else { return }
        publishReads()
        if traits.contains(.listens) {
            endsListening(for: isUnreachable ? nil : parent)
        } else {
            leavesClaimToWord()
            releaseUnread()
        }
    }

    /// The parent, which this node retains, unless it can never complete. This node's job has ended.
    var parentIfReachable: Node? { isUnreachable ? nil : parent?.takeUnretainedValue() }

    /// Leaves this node's claim on its source's result to `Word.keeps`. Returns whether there is one. The node has
    /// settled, and its job does not read the source any more.
    @discardableResult
    func leavesClaimToWord() -> Bool {
        guard givesClaimToWord() else { return false }
        word.bitwiseOr(Word.keeps, ordering: .releasing)
        return true
    }

    /// A job that releases the results upstream of this node, which was cancelled.
    var releasingUnread: Job {
        ClosureJob(.urgent) { [self] in
            ThreadState.here.endsJob()
            releaseUnread()
        }
    }

    /// Releases the results upstream of this node, which was cancelled. If other code has references to some of the
    /// nodes, tries again later, as long as this node exists.
    func releaseUnread() {
        UnreadResults.release {
            $0.add(upstreamOf: self)
        } ifIncomplete: {
            releaseUnreadLater()
        }
    }
}
