// Releasing results: how a chain keeps only the values that other code can still ask for (Contract/Memory.md).

internal import Synchronization

// A node is the recipe of its chain, so it lives as long as the chain, and its value with it. But if the only reference
// to the node is that of one step, and that step has passed the value on, no code can ask for the value any more. A
// repetition makes it again. Each reader of a value has a reference to its node: so that the reference is the only one
// proves that no thread reads, as for the buffer of an array.
//
// A step releases it in its job, unless something else refers to the source at that moment: a variable, another listener,
// or the expression that creates a chain where callbacks are called in place. Then the value lives as long as the chain.
//
// Errors are small, and stay; so do the values of a combination's children, and those for which a cancelled step has no
// job. The reference that a reader releases orders its reads before the release of the value. The thread sanitizer and
// the explorer do not see that, so a reader also publishes its reads: with its own result or by `publishReads`. Whoever
// drops the last reference of a reader acquires that reader's word.
extension Node {
    /// Whether there is a value to release, because a repetition would make it again.
    private var hasReleasableValue: Bool {
        isSuccess && payload.type != nil && (source != nil || !traits.isDisjoint(with: [.begins, .combines, .queued]))
    }

    /// Whether the source has a value that this step, whose job has read it, does not need any more.
    // A listener of the library reads the result for other code. The target of a link is not this step's to release.
    var leavesValue: Bool {
        guard !traits.contains(.listens), let source else { return false }
        return source._withUnsafeGuaranteedRef(\.hasReleasableValue)
    }

    /// Releases the source's value, which this step, whose job has read it, does not need any more.
    // Inlined, because most sources have left nothing.
    @inline(__always)
    func releaseSourceValue() {
        guard leavesValue else { return }
        var value = takeSourceValue()
        value?.release()
    }

    /// Takes the source's value out early, when this node has read it. Called in the node's job, which alone does so.
    /// Returns nil if other code may read it.
    @inline(never)
    func takeSourceValue() -> Payload? {
        guard leavesValue, let source, source.isUnique else { return nil }
        return source._withUnsafeGuaranteedRef { source in
            #if EXPLORING
                source.word.isOwned()
            #endif
            _ = source.word.load(ordering: .acquiring)
            let value = source.payload.take()
            source.payload.poison()
            return value
        }
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
        releaseSourceValue()
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
