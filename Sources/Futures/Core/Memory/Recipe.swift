// Recipe: the steps of a Deferred, in the order in which they were added.

/// One step of a description, with the steps before it.
///
/// The steps are a list, not closures that call one another, so they are started and released in a loop, whatever their
/// number. Closures that hold other descriptions, and so on, are released in a loop too.
// Safe to share: its variables change in the deinit only.
@usableFromInline
final class Recipe: @unchecked Sendable {
    @usableFromInline typealias Step = @Sendable (Node?, Scheduler) -> Node

    private let source: Locked<Recipe?>?
    @exclusivity(unchecked) private var closure: Slot
    /// Whether this step, or one before it, starts something that is to run concurrently with the steps before that.
    private let isBeside: Bool

    @usableFromInline
    init(after source: Recipe? = nil, beside isBeside: Bool = false, _ step: @escaping Step) {
        self.isBeside = isBeside || source?.isBeside == true
        self.source = source.map { Locked($0) }
        closure = Slot(Closure(Attaching(call: step)))
    }

    deinit {
        let releases = DeferredReleases.here
        releases.collect { releases.add(closure: closure.take(as: Closure.self).call) }
        guard var source = source?.withLock({ $0.take() }) else { return }
        // Only the last reference may empty the list. Others still need the steps before it.
        while isKnownUniquelyReferenced(&source) {
            guard let next = source.source?.withLock({ $0.take() }) else { return }
            source = next
        }
    }

    private var step: Step { closure.content(as: Closure.self).load(as: Attaching.self).call }

    /// Starts the first step, and attaches the others to it, in order.
    @usableFromInline
    func begin(on scheduler: Scheduler) -> Node {
        guard source != nil else { return step(nil, scheduler) }
        var steps: [Recipe] = []
        var recipe = self
        while let source = recipe.source?.withLock({ $0 }) {
            steps.append(recipe)
            recipe = source
        }
        var node = isBeside ? recipe.beginBeside(on: scheduler) : recipe.step(nil, scheduler)
        while let recipe = steps.popLast() { node = recipe.step(node, scheduler) }
        return node
    }

    /// Starts the first step. In a callback of a concurrent scheduler, it starts in a job of its own.
    private func beginBeside(on scheduler: Scheduler) -> Node {
        // `Never` is a placeholder: nodes have no type, and the result that this future passes on is never read as a
        // `Never`.
        guard scheduler.hasBeside else { return step(nil, scheduler) }
        return scheduler.beside { [self] in Future<Never>(node: step(nil, scheduler)) }.node
    }
}
