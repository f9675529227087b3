// Traits: what kind of node a node is, and which results its closure wants.

/// The results that a node's closure wants, and the kind of the node.
///
/// The operation of a step is called with every result: on the node's scheduler with one that the closure wants, in place
/// with any other one, which it has to pass on: `node.settleInJob(as: node.arrived)`.
@usableFromInline
package struct Traits: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt16

    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable package static var values: Traits { Traits(rawValue: 1) }
    @inlinable package static var failures: Traits { Traits(rawValue: 2) }
    @inlinable package static var cancellations: Traits { Traits(rawValue: 4) }
    @inlinable package static var errors: Traits { [.failures, .cancellations] }
    @inlinable package static var results: Traits { [.values, .errors] }

    /// The operation is also called if this node is cancelled, or ended otherwise from outside, before it has begun.
    @inlinable static var cancels: Traits { Traits(rawValue: 8) }
    /// A listener that does not prevent a cancel.
    @inlinable static var watcher: Traits { Traits(rawValue: 16) }
    /// A root that waits for its turn in a queue: a `QueuedNode`.
    @inlinable package static var queued: Traits { Traits(rawValue: 32) }
    /// `Future.never`, which never settles, and keeps no listeners.
    @inlinable package static var never: Traits { Traits(rawValue: 64) }
    /// A root with an operation of its own, which a repetition runs again.
    @inlinable package static var begins: Traits { Traits(rawValue: 128) }
    /// A combination: a root whose closure returns its recipe.
    @inlinable package static var combines: Traits { Traits(rawValue: 256) }
    /// A listener that reads its source's result for other code, and must not release that result.
    @inlinable package static var listens: Traits { Traits(rawValue: 512) }
    /// The operation is called in place, without a hop, but it completes the node on the node's scheduler, as a delay
    /// does.
    @inlinable package static var later: Traits { Traits(rawValue: 1024) }
    /// A step whose operation also starts something when the step was attached: a timer, listeners to signals, or an
    /// activity. It is disposed when the step settles.
    package static var accompanied: Traits { Traits(rawValue: 2048) }
    /// With `accompanied`: what the operation starts may end the step before its source does. A timer is on the step's
    /// scheduler.
    static var limited: Traits { Traits(rawValue: 16384) }
    /// With `accompanied`: in a repetition, that starts ahead of the source's operation.
    static var precedes: Traits { Traits(rawValue: 32768) }
    /// A listener to a child of its parent, which is a combination.
    @inlinable package static var ofChild: Traits { Traits(rawValue: 4096) }
    /// A step whose closure is the library's, although it is called on a scheduler of users, and passes failures on: a
    /// repetition, say.
    @inlinable package static var passesFailures: Traits { Traits(rawValue: 8192) }
}
