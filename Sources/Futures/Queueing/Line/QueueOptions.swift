// QueueOptions: the priority and the time limits of an operation.

/// The priority and the time limits of an operation.
@usableFromInline
struct QueueOptions: Sendable {
    @usableFromInline var priority: QueuePriority
    /// Whether no other operation may run beside it.
    @usableFromInline var isExclusive: Bool
    @usableFromInline var timeLimits: TimeLimits?
    @usableFromInline var origin: FutureError.SourceLocation

    @inlinable
    init(_ options: TurnOptions, _ origin: FutureError.SourceLocation, _ isExclusive: Bool = false) {
        priority = options.priority
        self.isExclusive = isExclusive
        self.origin = origin
        timeLimits =
            options.waitTimeout == nil && options.runTimeout == nil
            ? nil : TimeLimits(options.waitTimeout, options.runTimeout)
    }
}

/// How long an operation may wait and run.
// An object: most operations have none.
@usableFromInline
final class TimeLimits: Sendable {
    let maxWaiting: Duration?
    let maxRunning: Duration?
    /// The scheduler of the timers of a node that is in place.
    private let scheduler: Scheduler

    @usableFromInline
    init(_ maxWaiting: Duration?, _ maxRunning: Duration?) {
        self.maxWaiting = maxWaiting
        self.maxRunning = maxRunning
        scheduler = .currentClock
    }

    /// Starts the time limit of the wait of a node that is in the line or has started.
    func startWaiting(_ node: QueuedNode) {
        guard let maxWaiting else { return }
        node.keepUntilBegun(
            timer(of: node, maxWaiting) { $0.giveUpWaiting(QueueError.waitTimedOut(after: maxWaiting)) })
    }

    /// Starts the time that the node may run, if there is one; what is returned stops it.
    func runningTimer(of node: QueuedNode) -> Disposer? {
        maxRunning.map { maxRunning in
            timer(of: node, maxRunning) { $0.giveUp(QueueError.runTimedOut(after: maxRunning)) }
        }
    }

    /// The scheduler whose clock measures the node's limits, and on which they end it.
    func scheduler(of node: QueuedNode) -> Scheduler {
        node.scheduler(or: scheduler)
    }

    /// Calls `body` once `delay` has passed for the node. The timer keeps the node until then.
    private func timer(
        of node: QueuedNode, _ delay: Duration, _ body: @escaping @Sendable (QueuedNode) -> Void
    ) -> Disposer {
        let timer = scheduler(of: node).async(after: delay) {
            if !node.hasSettled { Recording.recorderIfOn?.timedOut() }
            body(node)
        }
        // Disposing stops it, but releasing it does not have to.
        return Disposer { timer.dispose() }
    }
}

extension Scheduler {
    /// A scheduler for the time limits of code that has none of its own.
    // Inlined, it would be in each function that enqueues an operation.
    @inline(never)
    fileprivate static var currentClock: Scheduler { current.forLimits }
}
