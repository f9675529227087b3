// PoolStock: the resources that a pool has, whatever their type, and the operations that have one of them.

/// The resources that a pool has, whatever their type. A pool is one with a type.
// Not generic, as everything that an operation of a pool goes through: see `PooledResource`. Safe to share: its
// properties do not change.
class PoolStock: @unchecked Sendable {
    let state: Locked<PoolState>
    /// Where resources are created, checked and closed.
    let scheduler: Scheduler
    private let idleTimeout: Duration?
    /// Ticks while resources are idle, if they are closed then.
    private let timer: OwnedTimer?

    init(maxCount: Int, idleTimeout: Duration?, on scheduler: Scheduler) {
        state = Locked(PoolState(limit: maxCount, expires: idleTimeout != nil))
        self.idleTimeout = idleTimeout
        timer = idleTimeout.map { _ in OwnedTimer() }
        self.scheduler = scheduler
    }

    /// Hands `resource` to an operation that has waited for one.
    func hand(_ resource: PooledResource, to asker: PoolAsker) {}

    /// Creates a resource for an operation that has waited for one, in a place that is taken.
    func create(for asker: PoolAsker) {}

    /// Closes a resource.
    func discard(_ resource: PooledResource) {}

    /// Takes back what was lent to an operation, if anything was.
    final func takeBack(from node: PoolNode) { send(to: state.withLock { $0.takeBack(from: node) }) }

    /// Hands a resource to the first operation that waits for one, or stores it for the next one.
    final func giveBack(_ resource: PooledResource) { send(to: state.withLock { $0.giveBack(resource) }) }

    private func send(to destination: PoolState.Destination) {
        switch destination {
        case .idle(let startsTimer): if startsTimer { tick() }
        case .asker(let resource, let asker): hand(resource, to: asker)
        }
    }

    /// A place that was taken for a resource. It is free at the latest when it is unreferenced, as after a creation
    /// that never completes.
    final func place() -> Turn {
        // Weak, because the pool has the idle resources.
        Turn { [weak self] in
            guard let self else { return }
            let (asker, drained) = state.withLock { $0.hasClosed() }
            if let asker { create(for: asker) }
            for promise in drained { promise.succeed() }
        }
    }

    /// Takes out all idle resources, to be closed. The timer, which has nothing more to do, is stopped.
    final func takeAll() -> [PooledResource] {
        // Before the resources: one that is given back behind them starts it again, which must not be undone.
        timer?.stop()
        return state.withLock { $0.takeAll() }
    }

    private func tick() {
        guard let idleTimeout, let timer else { return }
        timer.start(after: idleTimeout, on: scheduler) { [weak self] in
            guard let self else { return }
            let (expired, ticks) = state.withLock { $0.tick() }
            // First the timer: a close may take its time.
            if ticks { tick() }
            for resource in expired { discard(resource) }
        }
    }
}

/// An operation of a pool, which gives back what it was lent before its turn.
// Safe to share: the pool's lock guards `lent`. The pool is no reference of its own, as the operation has one: `ended`
// may be called by the `deinit` of the superclass.
final class PoolNode: LineNode, @unchecked Sendable {
    private let stock: Unmanaged<PoolStock>
    /// What it was lent.
    @exclusivity(unchecked) var lent: PooledResource?

    init(
        _ stock: PoolStock, _ line: Line, on scheduler: Scheduler, _ options: QueueOptions, _ closure: Closure,
        _ operation: @escaping Operation
    ) {
        self.stock = .passUnretained(stock)
        super.init(in: line, nil, on: scheduler, options, closure, operation)
    }

    private init(repeating node: PoolNode) {
        stock = node.stock
        super.init(repeating: node)
    }

    override func copy() -> QueuedNode? { PoolNode(repeating: self) }

    override func ended() {
        stock._withUnsafeGuaranteedRef { $0.takeBack(from: self) }
        super.ended()
    }
}
