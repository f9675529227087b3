// QueueOptions: the priority and the time limits of an operation.

/// The priority and the time limits of an operation.
@usableFromInline
struct QueueOptions: Sendable {
    @usableFromInline var priority: QueuePriority
    /// Whether no other operation may run beside it.
    @usableFromInline var isExclusive = false
    @usableFromInline var timeLimits: TimeLimits?
    @usableFromInline var origin: FutureError.Origin

    @inlinable
    init(
        _ priority: QueuePriority, _ maxWaiting: Duration?, _ maxRunning: Duration?,
        _ origin: FutureError.Origin
    ) {
        self.priority = priority
        self.origin = origin
        timeLimits = maxWaiting == nil && maxRunning == nil ? nil : TimeLimits(maxWaiting, maxRunning)
    }

    @inlinable
    static func writing(_ maxWaiting: Duration?, _ origin: FutureError.Origin) -> QueueOptions {
        var options = QueueOptions(.normal, maxWaiting, nil, origin)
        options.isExclusive = true
        return options
    }
}

/// How long an operation may wait and run.
// An object: most operations have none.
@usableFromInline
final class TimeLimits: Sendable {
    let maxWaiting: Duration?
    let maxRunning: Duration?

    @usableFromInline
    init(_ maxWaiting: Duration?, _ maxRunning: Duration?) {
        self.maxWaiting = maxWaiting
        self.maxRunning = maxRunning
    }

    /// The node is in the line, or has begun: starts the time that it may wait.
    func startWaiting(_ node: QueuedNode) {
        guard let maxWaiting else { return }
        node.keepUntilBegun(timer(of: node, maxWaiting) { $0.giveUpWaiting(QueueError.waitedTooLong(maxWaiting)) })
    }

    /// Starts the time that the node may run, if there is one; what is returned stops it.
    func runningTimer(of node: QueuedNode) -> Disposer? {
        maxRunning.map { maxRunning in
            timer(of: node, maxRunning) { $0.giveUp(QueueError.ranTooLong(maxRunning)) }
        }
    }

    /// Calls `body` once `delay` has passed on the node's scheduler. The timer keeps the node until then.
    private func timer(
        of node: QueuedNode, _ delay: Duration, _ body: @escaping @Sendable (QueuedNode) -> Void
    ) -> Disposer {
        let timer = node.scheduler._withUnsafeGuaranteedRef { $0.async(after: delay) { body(node) } }
        // Disposing stops it, but releasing it does not have to.
        return Disposer { timer.dispose() }
    }
}
