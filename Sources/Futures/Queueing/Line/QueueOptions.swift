// QueueOptions: the priority and the time limits of an operation.

/// The priority and the time limits of an operation.
@usableFromInline
struct QueueOptions: Sendable {
    @usableFromInline var traits: Traits
    @usableFromInline var maxWaiting: Duration?
    @usableFromInline var maxRunning: Duration?
    @usableFromInline var origin: FutureError.Origin

    @inlinable
    init(
        _ traits: Traits = [], maxWaiting: Duration? = nil, maxRunning: Duration? = nil,
        origin: FutureError.Origin
    ) {
        self.traits = maxRunning == nil ? traits.union(.queued) : traits.union([.queued, .limited])
        self.maxWaiting = maxWaiting
        self.maxRunning = maxRunning
        self.origin = origin
    }

    @inlinable
    init(
        _ priority: QueuePriority, _ maxWaiting: Duration?, _ maxRunning: Duration?, _ origin: FutureError.Origin
    ) {
        self.init(priority.traits, maxWaiting: maxWaiting, maxRunning: maxRunning, origin: origin)
    }

    @inlinable var isTimed: Bool { maxWaiting != nil || maxRunning != nil }
}

extension QueueOptions {
    /// The node is in the line, or has begun: starts the time that it may wait.
    @usableFromInline
    func limitWaiting(of node: Node) {
        guard let maxWaiting else { return }
        node.keepUntilBegun(node.timer(maxWaiting) { $0.giveUpWaiting(QueueError.waitedTooLong(maxWaiting)) })
    }

    /// The node begins: starts the time that it may run.
    @usableFromInline
    func limitRunning(of node: Node) {
        node.keepFromNowOn(runningTimer(of: node))
    }

    /// Starts the time that the node may run, if there is one; what is returned stops it.
    func runningTimer(of node: Node) -> Disposer? {
        maxRunning.map { maxRunning in
            node.timer(maxRunning) { $0.giveUp(QueueError.ranTooLong(maxRunning)) }
        }
    }
}

extension Node {
    /// Calls `body` once `delay` has passed on the node's scheduler. The timer keeps the node until then.
    fileprivate func timer(_ delay: Duration, _ body: @escaping @Sendable (Node) -> Void) -> Disposer {
        let timer = scheduler._withUnsafeGuaranteedRef { $0.async(after: delay) { body(self) } }
        // Disposing stops it, but letting go of it does not have to.
        return Disposer { timer.dispose() }
    }
}
