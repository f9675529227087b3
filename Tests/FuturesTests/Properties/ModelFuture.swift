// ModelFuture: a future of the model.

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
    /// Links without listeners: they get this result, but do not prevent a cancellation (choice 1).
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
    /// The join or select for which this step listens.
    weak var parent: ModelFuture?
}
