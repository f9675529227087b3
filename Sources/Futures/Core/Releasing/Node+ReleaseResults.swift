// Releasing results: how a chain keeps only the values that other code can still ask for (Contract/Memory.md).

internal import Synchronization

// A node is part of the recipe of its chain, so it lives as long as the chain. But if the only reference to the node is
// that of one step, which has read the value, no code can ask for the value any more. So the step releases the value in
// its job. Each reader has a reference to the node: that there is only one reference proves that no thread reads, as for
// the buffer of an array. If something else refers to the node at that moment, the value lives as long as the chain.
//
// Errors are small, and stay; so do the values of a combination's children.
//
// The reference that a reader releases orders its reads before the release of the value. The thread sanitizer and the
// explorer do not see that, so a reader also publishes its reads, with its own result or by `publishReads`, and the
// thread that drops the last reference to a reader acquires that reader's word.
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
    @inline(__always)
    func releaseSourceValue() {
        guard leavesValue else { return }
        var value = takeSourceValue()
        value?.release()
    }

    /// Takes the source's value out, in this node's job, which has read it. Returns nil if other code may read it.
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
    /// Calls `body`, which reads the result of this node. The caller has a reference to the node.
    @inlinable
    func reading<T>(_ body: () -> T) -> T {
        defer { if payload.type != nil { publishReads() } }
        return body()
    }

    /// Orders this thread's reads of the result before a release of the result.
    @usableFromInline
    func publishReads() {
        if isLink { return target.publishReads() }
        if isSettled, hasReleasableValue { word.bitwiseOr(0, ordering: .releasing) }
    }

    /// Ends the job of a step that was cancelled before.
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
