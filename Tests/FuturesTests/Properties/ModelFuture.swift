// ModelFuture: a future of the model.

/// The result of a future of the model.
enum Outcome: Hashable, Sendable {
    case value(Int)
    case error(Int)
    case cancelled
    case abandoned
    case awaitsItself

    var isValue: Bool { if case .value = self { true } else { false } }
}

/// A future of the model: a result, or the listeners that wait for it.
final class ModelFuture {
    var outcome: Outcome?
    var listeners: [ModelFuture] = []
    /// Links that have no listeners any more. They get this future's result, but do not prevent its cancellation
    /// (choice 1).
    var forsaken: [ModelFuture] = []
    var isForsaken = false
    /// Whether it has ever waited for its inner future while a flatMap waited for it (choices 1, 2).
    var mayBeLink = false

    /// The future that a step transforms. Once the transform has returned a future, `inner` is that one.
    var source: ModelFuture?
    var inner: ModelFuture?
    /// The futures that a join or select listens to.
    var parts: [ModelFuture] = []
    /// The listeners of a join or select, one for each part.
    var ears: [ModelFuture] = []
    /// Whether its cancellation calls anything.
    var leadsToMore: Bool { dispose != nil || !ears.isEmpty || !hasBegun && cancelHandler != nil }
    /// Whether a join or select leaves its parts running when it completes.
    var letsGo: () -> Bool = { false }
    var wants: (Outcome) -> Bool = { _ in true }
    var transform: ((Outcome) -> Model.Next)?
    /// Called when the step is cancelled by its consumer, unless the transform was called before.
    var cancelHandler: (() -> Void)?
    var hasBegun = false

    /// An operation's disposable. A completion that precedes it takes effect when it is there.
    var dispose: (() -> Void)?
    var isStarting = false
    var early: Outcome?
    var isNever = false
    /// Whether the program refers to it, which matters only for chains that never complete.
    var isHeld = false
    /// The join or select for which this step listens.
    weak var parent: ModelFuture?
}

// Chains that never complete: an unreferenced one is deallocated, and its listener is detached.
extension ModelFuture {
    /// Whether it has listeners. `doubtful` is the answer for listeners of a completed join that leaves its parts
    /// running: nothing retains them, but it is unspecified when they are deallocated.
    func isHeard(doubtful: Bool) -> Bool {
        sleeps ? listeners.contains { $0.isAlive(doubtful: doubtful) } : !listeners.isEmpty
    }

    var sleeps: Bool { sleeps() }

    /// Whether it waits for the future that never completes, and not for itself.
    private func sleeps(_ depth: Int = 40) -> Bool {
        guard outcome == nil, early == nil, depth > 0 else { return false }
        if isNever { return true }
        if !parts.isEmpty {
            // A part that has completed keeps it awake until the part's listener was called.
            return ears.count == parts.count && ears.allSatisfy { $0.outcome != nil || $0.sleeps(depth - 1) }
        }
        return (inner ?? source)?.sleeps(depth - 1) ?? false
    }

    /// Whether the program refers to it, or to a future that waits for it.
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
