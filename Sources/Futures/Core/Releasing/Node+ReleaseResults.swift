// Releasing results: how a chain keeps only the values that other code can still ask for (Contract/Memory.md).

internal import Synchronization

// A node is the recipe of its chain, so it lives as long as the chain, and its value with it. But if the only reference
// to the node is that of one step, and that step has passed the value on, no code can ask for the value any more. A
// repetition makes it again. Each reader of a value has a reference to its node: so that the reference is the only one
// proves that no thread reads, as for the buffer of an array.
//
//     step settles in its job ──► `Word.leavesValue` ──► the source has one reference: its value is released
//                                        │
//                                        └──► it has others, such as that of the expression that creates the chain:
//                                             the listeners of a step that has a value try again, once; then it lives
//                                             as long as the chain
//
// Errors are small, and stay; so do the values of a combination's children, and those for which a cancelled step has no
// job. The reference that a reader releases orders its reads before the release of the value. The thread sanitizer and
// the explorer do not see that, so a reader also publishes its reads: with its own result or by `publishReads`. Whoever
// drops the last reference of a reader acquires that reader's word.
extension Node {
    /// Whether there is a value to release, because a repetition would make it again.
    private var hasReleasableValue: Bool { isSuccess && payload.type != nil && isRepeatable }

    /// Whether a repetition gets the result by running something. Otherwise the repetition shares this result.
    var isRepeatable: Bool {
        source != nil || !traits.isDisjoint(with: [.begins, .combines, .queued])
    }

    /// Whether the source has a value that this step, whose job has read it, does not need any more.
    // A listener of the library reads the result for other code. The target of a link is not this step's to release.
    var leavesValue: Bool {
        guard !traits.contains(.listens), let source else { return false }
        return source._withUnsafeGuaranteedRef(\.hasReleasableValue)
    }

    /// Releases the source's value, which this step has passed on, and the value of the source's source, if the source
    /// could not release it in its job.
    ///
    /// `own`: whether this node's word has the bit `leavesValue`.
    // Inlined, because most sources have left nothing.
    @inline(__always)
    func releaseSourceValues(own: Bool) {
        if own { releaseSourceValue() }
        // A listener (`Traits.listens`) does this only if it belongs to a combination. The others are those of threads
        // that wait, for instance: a `deinit` of the value may wait for what such a thread does next.
        guard !traits.contains(.listens) || traits.contains(.ofChild), let source else { return }
        source._withUnsafeGuaranteedRef {
            // The word of a pending node is an address, in which the bit may be set.
            let word = $0.word.load(ordering: .acquiring)
            if word & Word.leavesValue != 0, word & Word.success != 0 { $0.releaseSourceValue() }
        }
    }

    @inline(never)
    private func releaseSourceValue() {
        // The listeners of this node may run on several threads. Only one of them gets the bit.
        guard let source, source.isUnique,
            word.bitwiseAnd(~Word.leavesValue, ordering: .acquiringAndReleasing).oldValue & Word.leavesValue != 0
        else { return }
        var value = source._withUnsafeGuaranteedRef { $0.takeValue() }
        value.release()
    }

    /// Takes the source's value out early, when this node has read it and waits for an inner node next, or was
    /// cancelled. Called in the node's job, which alone does so. Returns nil if other code may read it.
    func takeSourceValue() -> Payload? {
        guard leavesValue, let source, source.isUnique else { return nil }
        return source._withUnsafeGuaranteedRef { $0.takeValue() }
    }

    /// Takes the value out. The caller has the only reference to this node.
    func takeValue() -> Payload {
        #if EXPLORING
            word.isOwned()
        #endif
        _ = word.load(ordering: .acquiring)
        let value = payload.take()
        payload.poison()
        return value
    }
}

// Readers that store no new word of their own behind their reads.
extension Node {
    /// Calls `body`, which reads the result of this node, which has settled. The caller has a reference to this node.
    @inlinable
    func reading<T>(_ body: () -> T) -> T {
        defer { if payload.type != nil { publishReads() } }
        return body()
    }

    /// Publishes what this thread has read of the result to the thread that releases it, if it may be released early.
    @usableFromInline
    func publishReads() {
        if isLink { return target.publishReads() }
        if isSettled, hasReleasableValue { word.bitwiseOr(0, ordering: .releasing) }
    }

    /// Ends the job of a step that was cancelled before its job could settle it. Releases the value of the source, too.
    @inline(never)
    func endJobOfCancelled() {
        ThreadState.here.endsJob()
        var value = takeSourceValue()
        value?.release()
        releaseSourceValues(own: false)
        source?._withUnsafeGuaranteedRef { $0.publishReads() }
    }

    /// Removes the reference to the inner node, whose result this node does not read any more, and returns it.
    func takeInner() -> Node? {
        let inner = inner.take()?.takeRetainedValue()
        inner?.publishReads()
        return inner
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
