// DeferredStep: the steps of a Deferred, in the order in which they were added.

/// One step of a `Deferred`, with the steps before it.
///
/// The steps are a list, not closures that call one another, so they are started and released in a loop, whatever their
/// number. Closures that hold other deferreds, and so on, are released in a loop too.
@usableFromInline
final class DeferredStep: Sendable {
    /// Takes the node that the steps before this one have made; of the first step, `Node.never`, which that ignores.
    /// Returns the node of this step.
    @usableFromInline typealias Attach = @Sendable (Node, Scheduler) -> Node

    // Safe to share: they change in the deinit only.
    @exclusivity(unchecked) private nonisolated(unsafe) var source: DeferredStep?
    @exclusivity(unchecked) private nonisolated(unsafe) var attaching: Attaching?

    @usableFromInline
    init(after source: DeferredStep? = nil, _ attach: @escaping Attach) {
        self.source = source
        attaching = Attaching(call: attach)
    }

    deinit {
        let releases = DeferredReleases.here
        releases.collect {
            releases.release(&source)
            releases.release(&attaching)
        }
    }

    /// Starts the first step, and attaches the others to it, in order.
    @usableFromInline
    func begin(on scheduler: Scheduler) -> Node {
        var others: [DeferredStep] = []
        var first = self
        while let source = first.source {
            others.append(first)
            first = source
        }
        var node = first.attaching!.call(.never, scheduler)
        while let next = others.popLast() { node = next.attaching!.call(node, scheduler) }
        return node
    }
}

/// A closure in a struct: as a generic value, a closure would be wrapped once more.
private struct Attaching {
    let call: DeferredStep.Attach
}
