// Emptying: how a chain keeps the results that can still be asked for, and no others (rule 19).

internal import Synchronization

extension Node {
    /// Releases the source's result, which this node has passed on, if nobody can ask for it any more; and the one of
    /// the source's source, which may have been held by the variable of a loop when it was the source's turn.
    ///
    /// A node whose only reference is that of its listener can be got at through the listener alone, and nobody reads
    /// its result there: the listener has passed it on; a cancel or `wait` does not look behind a node that has
    /// settled; and a repetition reads the recipe, and runs it afresh. `Word.keeps` says that a node did pass on the
    /// result itself (one that was cancelled may still be reading) and that nobody has released it yet.
    func emptySources(own: Bool) {
        if own { emptySource() }
        guard let source else { return }
        source._withUnsafeGuaranteedRef { if $0.keepsSource { $0.emptySource() } }
    }

    /// Releases the source's result early, when this node has read it and goes on waiting for another one.
    func emptySourceBeforeEnd() {
        if sourceHoldsResult, let source, source.isUnique { source._withUnsafeGuaranteedRef { $0.empty() } }
    }

    /// Whether the source has something to release: to be asked by this node's own job, before it shows its end.
    var sourceHoldsResult: Bool {
        guard let source, !traits.contains(.listens) else { return false }
        return source._withUnsafeGuaranteedRef { $0.payload.type != nil && $0.isRepeatable }
    }

    private func emptySource() {
        guard let source, source.isUnique else { return }
        // This node may have several listeners, on several threads.
        guard word.bitwiseAnd(~Word.keeps, ordering: .acquiringAndReleasing).oldValue & Word.keeps != 0 else { return }
        source._withUnsafeGuaranteedRef { $0.empty() }
    }

    private func empty() {
        var result = payload.take()
        result.destroy()
    }

    private var keepsSource: Bool {
        let word = word.load(ordering: .acquiring)
        // The list of a pending node is an address, which may have that bit.
        return word & Word.settled != 0 && word & Word.keeps != 0
    }

    /// Whether a repetition gets the result by running something; else it shares this one.
    private var isRepeatable: Bool {
        source != nil || !traits.isDisjoint(with: [.begins, .combines, .queued])
    }
}

/// What a combination has begun; when it is over, its children's results may go.
@usableFromInline
final class Combination: Disposable {
    /// What has to come before it can settle, as far as is known.
    @usableFromInline
    enum Needs: Sendable {
        case allOfThem
        /// One, if there is nothing else that may settle it.
        case oneOfThem
        /// One, or a timer on this scheduler.
        case oneOfThemOrTimer(Scheduler)
    }

    let children: [Node]
    let needs: Needs
    private let begun: any Disposable

    init(of children: [Node], _ needs: Needs, _ begun: any Disposable) {
        self.children = children
        self.needs = needs
        self.begun = begun
    }

    @usableFromInline
    func dispose() {
        begun.dispose()
        guard children.contains(where: \.holdsResult) else { return }
        // After the job in progress, which is the listener's of the child that has ended it, and refers to that.
        let children = children
        ThreadState.here.serveNext(JobList(ClosureJob(.urgent) { Node.empty(children) }))
    }
}

extension Node {
    /// Whether there is a result to release, of a node that somebody else refers to, too.
    fileprivate var holdsResult: Bool { isSettled && payload.type != nil && isRepeatable }

    /// Empties those nodes that nobody but the array refers to. The array is their combination's recipe, which does not
    /// read their results.
    fileprivate static func empty(_ nodes: [Node]) {
        // As references that are not counted: one that is taken to look would be one too many. An array of objects is one
        // of pointers.
        nodes.withUnsafeBytes { bytes in
            for node in bytes.assumingMemoryBound(to: Unmanaged<Node>.self) where node.isUnique {
                node._withUnsafeGuaranteedRef { if $0.holdsResult { $0.empty() } }
            }
        }
    }
}

extension Unmanaged where Instance == Node {
    /// Whether there is this one reference only.
    fileprivate var isUnique: Bool {
        // The same reference, for as long as it takes to look.
        var node: Node? = takeRetainedValue()
        defer { _ = node.take().map(Unmanaged.passRetained) }
        return isKnownUniquelyReferenced(&node)
    }
}
