// ModelFuture: a future of the model.

/// What a future of the model ends with.
enum Outcome: Hashable, Sendable {
    case value(Int)
    case error(Int)
    case cancelled
    case abandoned
    case awaitsItself

    var isValue: Bool { if case .value = self { true } else { false } }
}

/// A future of the model: a result, or those who wait for it.
final class ModelFuture {
    var outcome: Outcome?
    var listeners: [ModelFuture] = []
    /// Links that nobody listens to any more; they get this one's result, but do not want it (choice 1).
    var forsaken: [ModelFuture] = []
    var isForsaken = false
    /// Whether there was a moment when it waited for its inner future and a flatMap so waited for it (choices 1, 2).
    var mayBeLink = false

    /// What a step transforms, and what it passes on once the transform has returned a future.
    var source: ModelFuture?
    var inner: ModelFuture?
    /// What a join or select listens to.
    var parts: [ModelFuture] = []
    /// The listeners that it has there.
    var ears: [ModelFuture] = []
    /// Whether anything is called when it is cancelled.
    var leadsToMore: Bool { dispose != nil || !ears.isEmpty || !hasBegun && cancelHandler != nil }
    /// Whether its listeners leave its parts without cancelling them, when it is over.
    var letsGo: () -> Bool = { false }
    var wants: (Outcome) -> Bool = { _ in true }
    var transform: ((Outcome) -> Model.Next)?
    /// Called on a cancel from below, unless the transform was called before.
    var cancelHandler: (() -> Void)?
    var hasBegun = false

    /// An operation's: completing before the disposable is there is completing when it is.
    var dispose: (() -> Void)?
    var isStarting = false
    var early: Outcome?
    var isNever = false
    /// Whether the program names it, which only matters for what waits for a future that never completes.
    var isHeld = false
    /// For whom this one listens: a join or select.
    weak var parent: ModelFuture?
}

// Chains that never complete: an unreferenced one is deallocated, and listens no more.
extension ModelFuture {
    /// Whether somebody listens. `doubtful` is what to take those for who listen for a join that has completed and lets
    /// its parts run: nobody holds them, but when exactly they go is not said.
    func isHeard(doubtful: Bool) -> Bool {
        sleeps ? listeners.contains { $0.isAlive(doubtful: doubtful) } : !listeners.isEmpty
    }

    var sleeps: Bool { sleeps() }

    /// Whether it waits for the future that never completes. (One that waits for itself does not.)
    private func sleeps(_ depth: Int = 40) -> Bool {
        guard outcome == nil, early == nil, depth > 0 else { return false }
        if isNever { return true }
        if !parts.isEmpty {
            // A part that has completed still has to tell, until its ear has.
            return ears.count == parts.count && ears.allSatisfy { $0.outcome != nil || $0.sleeps(depth - 1) }
        }
        return (inner ?? source)?.sleeps(depth - 1) ?? false
    }

    /// Whether somebody holds it, or one that waits for it.
    func isAlive(_ depth: Int = 40, doubtful: Bool) -> Bool {
        guard depth > 0 else { return true }
        if let parent {
            if parent.isStarting { return true }
            guard parent.outcome == nil else { return doubtful }
            return !parent.sleeps || parent.isAlive(depth - 1, doubtful: doubtful)
        }
        return isHeld || listeners.contains { $0.isAlive(depth - 1, doubtful: doubtful) }
    }
}
