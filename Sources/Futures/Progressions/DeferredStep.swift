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

    // Safe to share: it changes in the deinit only.
    @exclusivity(unchecked) private nonisolated(unsafe) var source: DeferredStep?
    private let closure: Slot

    @usableFromInline
    init(after source: DeferredStep? = nil, _ attach: @escaping Attach) {
        self.source = source
        closure = Slot(Closure(Attaching(call: attach)))
    }

    deinit {
        var (releases, closure) = (DeferredReleases.here, closure)
        releases.collect {
            releases.release(&source)
            releases.add(closure: closure.take(as: Closure.self))
        }
    }

    private var attach: Attach { closure.content(as: Closure.self).load(as: Attaching.self).call }

    /// Starts the first step, and attaches the others to it, in order.
    @usableFromInline
    func begin(on scheduler: Scheduler) -> Node {
        var others: [DeferredStep] = []
        var first = self
        while let source = first.source {
            others.append(first)
            first = source
        }
        var node = first.attach(.never, scheduler)
        while let next = others.popLast() { node = next.attach(node, scheduler) }
        return node
    }
}

/// Takes the node that a deferred has made so far and returns the next one.
private struct Attaching: ClosureShape {
    let call: DeferredStep.Attach
}
