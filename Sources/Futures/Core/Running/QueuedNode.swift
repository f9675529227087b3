// QueuedNode: a root that waits for its turn in a queue, lock or pool. It is the one extension point of the node.

internal import Synchronization

/// A root that waits for its turn. A queue, lock or pool grants the turns to nodes of a subclass. The core calls the
/// methods of the subclass without a lock, and from any thread.
///
/// The node's operation is called when its turn has come. Usually it calls `takeTurn`.
// A node that has not begun is in no source's list, so its place in a list serves as its place in a queue.
//
// The turn of a node that has begun ends when no job of the node has anything more to do, and all that was stopped with
// it has ended (`Unfinished`): the node's job runs once more behind its listeners, finds the node settled, and calls
// `endTurn`. A node that is cancelled before it has begun has used nothing: `ended` is called behind all jobs of the cancel.
@usableFromInline
package class QueuedNode: Node, @unchecked Sendable {
    @inlinable
    init(
        on scheduler: Scheduler, _ closure: consuming Closure, origin: FutureError.SourceLocation,
        operation: @escaping Operation
    ) {
        super.init(source: nil, on: scheduler, .queued, closure, origin: origin, operation: operation)
    }

    /// Creates the node of a repetition, which has yet to be enqueued.
    func copy() -> QueuedNode? { nil }

    /// Asks for a turn.
    @usableFromInline
    func enqueue() {}

    /// The nodes whose turns this one waits for, and how many of those turns have to end before it gets its own; nil if
    /// anything else may give it one.
    func turnsAhead() -> (nodes: [Node], count: Int)? { nil }

    /// The scheduler of the timer that ends this node once it runs, if there is one.
    var timerScheduler: Scheduler? { nil }

    /// Called when the node does not need its turn any more: by `endTurn`, or when the node was ended before it had begun.
    /// It may be called several times, for a node that its queue has removed, and before listeners that another thread serves.
    func ended() {}

    /// Ends the turn of a node that has settled, when all has ended that was stopped with it.
    final func endTurn() {
        while let unfinished { if unfinished.add(self) { return } }
        ended()
    }
}

extension Node {
    /// This node, if it is a queued one: it waits for its turn, or has done so.
    @inlinable package var queued: QueuedNode? {
        traits.contains(.queued) ? unsafeDowncast(self, to: QueuedNode.self) : nil
    }
}

extension QueuedNode {
    /// Runs the job of this node again, after those of its listeners, to end the turn.
    @usableFromInline
    func endTurnAfterListeners() {
        ThreadState.here.serveNext(JobList(self))
    }
}
