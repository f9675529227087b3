// PoolStock: the resources that a pool has, whatever their type, and the operations that use them.

/// The resources that a pool has, whatever their type, and the line of the operations that use them. A pool is one with
/// a type.
// Not generic, as everything that an operation of a pool goes through: see `PooledResource`. Safe to share: the line's
// lock guards `state`, so that one step decides for both.
@usableFromInline
class PoolStock: @unchecked Sendable {
    let line: Line
    /// Where resources are created, checked and closed.
    let scheduler: Scheduler
    @exclusivity(unchecked) private var state: PoolState
    private let idleTimeout: Duration?
    /// Ticks while resources are idle, if they are closed then.
    private let timer: OwnedTimer?

    init(_ limits: LineLimits, named name: LineName, isChecked: Bool, idleTimeout: Duration?, on scheduler: Scheduler) {
        line = Line(limits, named: name)
        state = PoolState(limit: limits.maxConcurrentCount, isChecked: isChecked, idleTimeout: idleTimeout)
        self.idleTimeout = idleTimeout
        timer = idleTimeout.map { _ in OwnedTimer() }
        self.scheduler = scheduler
        line.state.withLock { $0.setUsableCount(0) }
    }

    /// Starts a creation or a check.
    func begin(_ work: PoolWork) {}

    /// Closes a resource.
    func close(_ resource: PooledResource) {}

    /// Gives away the state of a pool that is being deallocated.
    final func takeState() -> PoolState {
        defer { state = PoolState(limit: 0, isChecked: false, idleTimeout: nil) }
        return state
    }

    final var idleCount: Int { line.state.withLock { state.idleCount(running: $0.runningCount) } }

    /// Changes the state, and does the next steps from that, or from a change of the line.
    ///
    /// - Parameters:
    ///   - cancels: Whether creations and checks are cancelled that no operation waits for.
    ///   - body: Changes the state while a number of operations have started. Returns whether resources may be created
    ///     now.
    final func change(cancels: Bool = false, _ body: (inout PoolState, Int) -> Bool = { _, _ in true }) {
        let (starts, action) = line.state.withLock { line in
            let creates = body(&state, line.runningCount)
            let action = state.next(
                waiting: line.waitingCount, running: line.runningCount, creates: creates, cancels: cancels)
            line.setUsableCount(state.usableCount)
            return (line.goOn(), action)
        }
        // First the timer: the next steps may take its time.
        if action.startsTimer { startTimer() }
        line.perform(starts)
        for work in action.begun { begin(work) }
        for work in action.cancelled { work.bag.dispose() }
        for resource in action.closing { close(resource) }
        for promise in action.drained { promise.succeed() }
    }

    private func startTimer() {
        timer!.start(after: idleTimeout!, on: scheduler) { [weak self] in
            self?.change { $0.tick(running: $1) }
        }
    }

    /// Gives a resource to an operation that has started. Throws the error of its creation if there is none.
    final func lend(to node: LineNode) throws -> PooledResource {
        let node = unsafeDowncast(node, to: PoolNode.self)
        return try line.state.withLock { line in
            let result = state.lend()
            line.setUsableCount(state.usableCount)
            node.lent = try? result.get()
            return result
        }.get()
    }

    /// Returns the turn of an operation, which has its resource until the turn is released.
    final func turn(of node: LineNode) -> Turn {
        let (turn, lent) = (line.turn(of: node), unsafeDowncast(node, to: PoolNode.self).lent.take()!)
        return Turn { [self] in
            takeBack(lent)
            turn.release()
        }
    }

    fileprivate final func takeBack(_ resource: PooledResource) { change { state, _ in state.takeBack(resource) } }

    /// Creates resources until there are `count`, and returns futures of that.
    final func prewarm(upTo count: Int) -> [Future<Void>] {
        let works = line.state.withLock { line in line.closedError == nil ? state.prewarm(upTo: count) : nil }
        guard let works else { return [Future(error: line.state.withLock { $0.closedError! })] }
        return works.map { work in
            begin(work)
            return work.created!.future
        }
    }

    /// Returns a future that succeeds when no resource is used and all are closed. They are closed even if the future
    /// is not awaited.
    final func drained() -> Future<Void> {
        line.emptiness().step(on: .inPlace, .values) { [self] _ in
            let promise = Promise<Void>()
            timer?.stop()
            change { state, _ in state.close(telling: promise) }
            return .future(promise.future)
        }.shieldedFromCancellation()
    }
}

/// An operation of a pool, which gives back what it was lent before its turn.
// Safe to share: only its job and its end use `lent`. The pool is no reference of its own, as the operation has one.
@usableFromInline
final class PoolNode: LineNode, @unchecked Sendable {
    private let stock: Unmanaged<PoolStock>
    /// What it was lent.
    @exclusivity(unchecked) fileprivate var lent: PooledResource?

    @usableFromInline
    init(
        _ stock: PoolStock, on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ closure: consuming Closure, _ operation: @escaping Operation
    ) {
        self.stock = .passUnretained(stock)
        super.init(in: stock.line, on: scheduler, options, origin, closure, operation)
    }

    private init(repeating node: PoolNode) {
        stock = node.stock
        super.init(repeating: node)
    }

    override func copy() -> QueuedNode? { PoolNode(repeating: self) }

    override func enqueue() {
        super.enqueue()
        stock._withUnsafeGuaranteedRef { $0.change() }
    }

    override func ended() {
        stock._withUnsafeGuaranteedRef { stock in
            if let lent = stock.line.state.withLock({ _ in lent.take() }) {
                stock.takeBack(lent)
                super.ended()
            } else if stock.line.state.withLock({ _ in position != .outside }) {
                super.ended()
                // It may have waited for a resource.
                stock.change(cancels: !hasBegun)
            }
        }
    }
}
