// Pool: creates, lends, checks and closes the resources of a ResourcePool.

/// The resources of a ``ResourcePool``, and the line of the operations that use them.
// Not generic, as everything that an operation of a pool goes through: see `PooledResource`. Safe to share: the line's
// lock guards `state`, so that one step decides for both.
@usableFromInline
final class Pool: @unchecked Sendable {
    let line: Line
    /// Nil at the end of the deinit only.
    @exclusivity(unchecked) private var state: PoolState!
    /// Where resources are created, checked and closed, and the time limit of each of these.
    private let scheduler: Scheduler
    private let callTimeout: Duration
    private let expires: Bool
    /// Succeeds when all resources of the pool, which is closed, are closed.
    private let drainedPromise = Promise<Void>()
    /// Ticks while resources are idle, if they expire.
    private let timer = OwnedTimer()

    /// Makes an empty pool. `make` makes the place of a resource; it is called under the line's lock.
    init(
        _ limits: PoolLimits, before line: Line, callTimeout: Duration, on scheduler: Scheduler, isChecked: Bool,
        make: @escaping () -> PooledResource
    ) {
        self.line = line
        state = PoolState(limits, isChecked: isChecked, make: make)
        self.scheduler = scheduler
        self.callTimeout = callTimeout
        expires = limits.expires
        // The first resources are created.
        change()
    }

    // Pools may be each other's resources, however many.
    deinit { DeferredReleases.here.release(&state) }

    /// Starts the creation of a resource, or the check of one that is there.
    private func begin(_ work: PooledResource.Work) {
        let (resource, bag) = work
        bag += call {
            try resource.begin()
        } end: { [self] result in
            // A resource that is there when its creation is cancelled or takes too long is not lost.
            let exists = resource.takeCreated()
            change { state, _ in exists ? state.complete(resource, result) : state.fail(resource, result) }
            withExtendedLifetime(bag) {}
        }
    }

    private func close(_ resource: PooledResource) {
        _ = call {
            try resource.close()
        } end: { [self] _ in
            change { state, _ in state.hasClosed() }
        }
    }

    /// Calls a closure of the pool's owner on the pool's scheduler, and `end` when its future has completed. If that is
    /// cancelled, or takes too long, `end` is called when the closure has returned and what that returned is disposed: the
    /// resource is not used any more.
    private func call<T>(
        _ body: @escaping @Sendable () throws -> Future<T>, end: @escaping @Sendable (Result<T, any Error>) -> Void
    ) -> Future<T> {
        // On a concurrent scheduler, in another job: a closure that blocks delays no other one, and a callback in
        // progress may wait for it.
        let hop = scheduler.hasBeside ? scheduler.unstartedHop(with: ()) : nil
        let future = (hop.map { Future<Void>(node: $0) } ?? Future()).stepOfNode(on: scheduler, .values) { [self] _ in
            .future(try body().limited(after: callTimeout, on: scheduler.forLimits, line.name.origin))
        }
        // The pool has its error.
        future.node.noteObserved()
        _ = Node.listener(to: future.node, .watcher) { arrival in
            let result = arrival.child.result(as: T.self)
            // The closure of the second one is an object.
            if arrival.child.unfinished == nil { end(result) } else { arrival.child.whenFinished { end(result) } }
        }
        hop?.start()
        return future
    }

    var idleCount: Int { line.state.withLock { state.idleCount(running: $0.runningCount) } }

    var maxCount: Int {
        get { line.state.withLock { $0.limit } }
        set {
            change { state, line in
                line.limit = newValue
                return state.resize(to: newValue)
            }
        }
    }

    /// Has the resources closed that `isUnwanted` returns true for: now, or when they are given back.
    func discard(_ isUnwanted: (PooledResource) throws -> Bool) rethrows {
        let unwanted = try line.state.withLock { _ in state.resources }.filter(isUnwanted)
        change { state, _ in state.discard(unwanted) }
    }

    /// Changes the state, and does the next steps from that, or from a change of the line.
    ///
    /// - Parameters:
    ///   - cancels: Whether creations and checks are cancelled that no operation waits for.
    ///   - body: Changes the state. Returns whether resources may be created now.
    func change(cancels: Bool = false, _ body: (inout PoolState, inout LineState) -> Bool = { _, _ in true }) {
        let now = now
        take(
            line.state.withLock { line in
                state.now = now
                return next(&line, creates: body(&state!, &line), cancels)
            })
    }

    /// The time of the state; zero if resources do not expire.
    private var now: Duration { expires ? LineState.reference.duration(to: scheduler.now) : .zero }

    // Functions of their own, as the compiler copies `change` for each `body`.

    /// The jobs, and the next steps, from the states of the pool and its line. Requires the lock.
    private func next(_ line: inout LineState, creates: Bool, _ cancels: Bool) -> Steps {
        let action = state.takeNext(&line, creates: creates, cancels: cancels)
        let failing = action.failure.map { (node: line.onlyLane.nextWaiting, error: $0) }
        line.lackingCount = max(0, line.limit - state.usableCount)
        return (line.goOn(), failing, action)
    }

    private typealias Steps = (JobList, (node: LineNode, error: any Error)?, PoolState.Action)

    private func take(_ steps: Steps) {
        let (starts, failing, action) = steps
        // First the timer: the next steps may take its time. Operations last: a callback of one may wait for another.
        if let delay = action.tickDelay {
            timer.start(after: delay, on: scheduler.forLimits) { [weak self] in
                self?.change { state, _ in state.tick() }
            }
        }
        for work in action.begun { begin(work) }
        for bag in action.cancelled { bag.dispose() }
        for resource in action.closing { close(resource) }
        if let (node, error) = failing { node.end(with: error, if: .unlessBegun) }
        line.perform(starts)
        if action.isDrained { drainedPromise.succeed() }
    }

    /// Gives a resource to an operation that has started, or to a permit.
    func lend(to node: LineNode? = nil) -> PooledResource {
        let now = now
        return line.state.withLock { _ in
            state.now = now
            let resource = state.lend()
            if let node { unsafeDowncast(node, to: PoolNode.self).lent = resource }
            return resource
        }
    }

    func takeBack(_ resource: PooledResource) { change { state, _ in state.takeBack(resource) } }

    /// Returns a future that succeeds when no resource is used and all are closed. They are closed even if the future
    /// is not awaited.
    func drained() -> Future<Void> {
        line.watcher(.emptiness).flatMap(on: .inPlace) { [self] in
            timer.dispose()
            change { state, _ in state.close() }
            return drainedPromise.future
        }.shieldedFromCancellation()
    }
}

/// An operation of a pool, which gives back what it was lent before its turn.
// Safe to share: the lock of the line guards `lent`.
@usableFromInline
final class PoolNode: LineNode, @unchecked Sendable {
    private let pool: Pool
    /// What it was lent.
    @exclusivity(unchecked) fileprivate var lent: PooledResource?

    @usableFromInline
    init(
        _ pool: Pool, on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ closure: consuming Closure, _ operation: @escaping Operation
    ) {
        self.pool = pool
        super.init(in: pool.line, on: scheduler, options, origin, closure, operation)
    }

    private init(repeating node: PoolNode) {
        pool = node.pool
        super.init(repeating: node)
    }

    override func copy() -> QueuedNode? { PoolNode(repeating: self) }

    override func enqueue() {
        super.enqueue()
        pool.change()
    }

    override func spoil() { line.state.withLock { _ in lent!.isSpoilt = true } }

    override func releaseTurn() {
        pool.takeBack(line.state.withLock { _ in lent.take()! })
        super.releaseTurn()
    }

    override func ended() {
        if let lent = line.state.withLock({ _ in position == .running ? lent.take() : nil }) {
            pool.takeBack(lent)
            super.ended()
        } else if line.state.withLock({ _ in position != .outside }) {
            super.ended()
            // It may have waited for a resource.
            pool.change(cancels: progress == .waiting)
        }
    }
}
