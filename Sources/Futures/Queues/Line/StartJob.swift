// StartJob: starts the operations of a line in the order of their turns.

/// Starts an operation that has its turn: the first one of its line, of those on its scheduler and of its thread.
///
/// Callbacks run depth first: a job that was added last runs first. If each of them started its own operation, one could
/// overtake another that had its turn before. Those of other threads stay apart: a callback there may block.
// Safe to share: its one property is a constant.
final class StartJob: Job, @unchecked Sendable {
    private let node: LineNode

    init(_ node: LineNode) {
        self.node = node
        super.init()
    }

    override func run() {
        // There are as many as there are jobs.
        let first = node.line.state.withLock {
            $0.started.takeFirst {
                let other = unsafeDowncast($0, to: LineNode.self)
                return other.starter == node.starter && other.scheduler.toOpaque() == node.scheduler.toOpaque()
            }!
        }
        ThreadState.here.storage.pointee.frame!.run(first)
    }

    // Not that of the node, which another job may have started.
    override var urgency: Urgency { node.scheduler._withUnsafeGuaranteedRef(\.isCurrent) ? .callback : .urgent }

    override var onlyScheduler: Scheduler? { node.onlyScheduler }

    override var sourceInWords: String? { node.sourceInWords }
}
