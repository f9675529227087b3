// HeldOperation: an operation with something that is released when it has ended, for the package's other libraries.

extension Future {
    /// Returns a future of an operation that has something until it has ended: however it ends, its closure has
    /// returned and the future of the closure has completed. To be called by the step of a chain that has taken what
    /// the operation has, and to be returned by that step.
    ///
    /// A cancel, also of the chain, completes this future immediately. It waits neither for the closure nor for a
    /// future that has other listeners, but `release` does: it is called behind them. If the closure is never called,
    /// `release` is called all the same.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on.
    ///   - operation: The operation.
    ///   - release: Called once, in place.
    package static func holding(
        on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future,
        release: @escaping @Sendable () -> Void
    ) -> Future {
        let turn = Turn(release)
        let node = HeldNode(on: scheduler, releasing: turn) { node, _ in
            let node = node.queued!
            node.takeTurn(Value.self) {
                let cleanup = Cleanup(
                    (), CleanupStep<Void, Value>(on: .immediate) { _, _ in Future<Void>() }, keeping: turn.share(),
                    check: { _ in }, failure: CleanupFailure(handler: { nil }))
                node.keepFromNowOn(cleanup)
                return cleanup.run(node, operation)
            }
        }
        return node.startedNext()
    }
}

/// An operation that has its turn from the beginning. No repetition comes by it, as its turn is for one run.
// Safe to share: its properties do not change.
private final class HeldNode: QueuedNode, @unchecked Sendable {
    private let turn: Turn

    init(on scheduler: Scheduler, releasing turn: Turn, operation: @escaping Operation) {
        self.turn = turn
        super.init(on: scheduler, Closure(), origin: .init(), operation: operation)
    }

    deinit { endIfPending() }

    /// Starts the operation after the step that returns its future. So a cancel that comes meanwhile finds it behind
    /// that step, and waits for its closure.
    func startedNext<T>() -> Future<T> {
        if Recording.isCarrying { capture() }
        ThreadState.here.serveNext(JobList(self))
        return Future(node: self)
    }

    override func ended() { turn.release() }
}
