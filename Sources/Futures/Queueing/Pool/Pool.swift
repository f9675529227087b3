// Pool: creates, stores, checks and closes the resources of a ResourcePool.

/// Creates, stores, checks and closes the resources of a ``ResourcePool``.
// Safe to share: `owner` changes in the deinit only.
final class Pool<Resource: Sendable>: @unchecked Sendable {
    /// The closures of the pool's owner.
    private struct Owner {
        let create: @Sendable () throws -> Future<Resource>
        let check: (@Sendable (Resource) throws -> Future<Bool>)?
        let close: @Sendable (Resource) throws -> Future<Void>
    }

    /// The line of the operations: one with a turn may have a resource.
    let core: QueueCore<Void>
    private let state: Locked<PoolState<Owned<Resource>>>
    private let idleTimeout: Duration?
    /// Ticks while resources are idle, if they are closed then.
    private let timer: OwnedTimer?
    private let scheduler: Scheduler
    @exclusivity(unchecked) private var owner: Owner?
    /// In this line, each resource has a turn from before its creation until it is closed: so their number never
    /// exceeds the limit.
    private let places: QueueCore<Void>

    init(
        _ limits: LineLimits, idleTimeout: Duration?, on scheduler: Scheduler,
        create: @escaping @Sendable () throws -> Future<Resource>,
        check: (@Sendable (Resource) throws -> Future<Bool>)?,
        close: @escaping @Sendable (Resource) throws -> Future<Void>
    ) {
        core = QueueCore((), Line(limits))
        places = QueueCore((), Line(LineLimits(limits.maxConcurrentCount)))
        state = Locked(PoolState(expires: idleTimeout != nil))
        self.idleTimeout = idleTimeout
        timer = idleTimeout.map { _ in OwnedTimer() }
        self.scheduler = scheduler
        owner = Owner(create: create, check: check, close: close)
    }

    deinit {
        // Pools may be each other's resources, however many.
        var idle: PoolState<Owned<Resource>>? = state.withLock { state in
            defer { state = PoolState(expires: false) }
            return state
        }
        DeferredReleases.here.collect {
            DeferredReleases.here.release(&owner)
            DeferredReleases.here.release(&idle)
        }
    }

    private var create: @Sendable () throws -> Future<Resource> { owner!.create }
    private var check: (@Sendable (Resource) throws -> Future<Bool>)? { owner!.check }
    private var close: @Sendable (Resource) throws -> Future<Void> { owner!.close }

    var line: Line { core.line }

    var idleCount: Int { state.withLock { $0.idleCount } }

    /// Calls `operation` with a resource when its turn has come.
    func visit<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        // Where it is checked first, the turn is not the operation's yet.
        check == nil
            ? enqueue(on: scheduler, options, callingOn: scheduler, operation)
            : enqueue(on: .inPlace, options.timed(on: scheduler), callingOn: scheduler, operation)
    }

    // Inlined, so that an operation without a check does not pay for the choice.
    @inline(__always)
    private func enqueue<T: Sendable>(
        on place: Scheduler, _ options: QueueOptions, callingOn scheduler: Scheduler,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let node = PoolNode(self, on: place, options, Closure(Following(operation))) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                node.startTime()
                let operation = node.closure.load(as: Following<Resource, T>.self).call
                if let resource = lend(to: node) { return try operation(resource) }
                return lease(line.turn(of: node)).flatMap(on: .inPlace) { $0.use(on: scheduler, operation) }
            }
        }
        node.enqueue()
        return Future(node: node)
    }

    /// Calls `operation` with a resource and a turn when its turn has come; it has the resource until that is released.
    func visitWithTurn<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource, Turn) throws -> Future<T>
    ) -> Future<T> {
        core.enqueueWithTurn(on: .inPlace, options.timed(on: scheduler)) { [self] _, turn in
            lease(turn).flatMap(on: .inPlace) { $0.useWithTurn(on: scheduler, operation) }
        }
    }

    /// Lends an idle resource that needs no check; nil if there is none.
    private func lend(to node: Node) -> Resource? {
        check == nil ? state.withLock { $0.lend(to: ObjectIdentifier(node)) }?.resource : nil
    }

    fileprivate func takeBack(from node: Node) {
        if state.withLock({ $0.takeBack(from: ObjectIdentifier(node)) }) { tick() }
    }

    /// Returns a lease for the operation that has the turn: of an idle and healthy resource, or else of a new one.
    ///
    /// A check or a creation continues if the operation is cancelled: otherwise a resource that is being created would
    /// be lost, and one that is being checked would be lent meanwhile.
    func lease(_ turn: Turn) -> Future<Lease<Resource>> {
        let asker = Promise<Lease<Resource>>()
        find(turn, for: asker)
        return asker.future
    }

    private func find(_ turn: Turn, for asker: Promise<Lease<Resource>>) {
        guard let owned = state.withLock({ $0.take() }) else { return make(turn, for: asker) }
        let lease = Lease(owned, turn, self)
        guard let check else {
            asker.succeed(lease)
            return
        }
        call { try check(owned.resource) }.onResult(on: .inPlace) { [self] result in
            if case .success(true) = result {
                asker.succeed(lease)
                return
            }
            lease.take()
            // Both start before a callback of either is called. First the search: then a close that blocks does
            // not delay the operation that gets another resource.
            var jobs = JobList(ClosureJob(.urgent) { [self] in find(turn, for: asker) })
            jobs.append(ClosureJob(.urgent) { [self] in discard(owned) })
            ThreadState.here.serve(jobs.urgentFirst)
        }
    }

    /// Creates a resource, once the number of resources, with those that are being closed, is below the limit.
    private func make(_ turn: Turn, for asker: Promise<Lease<Resource>>) {
        places.enqueueWithTurn(on: .inPlace, QueueOptions(.normal, nil, nil, .init())) { _, place in
            Future(place)
        }.onValue(on: .inPlace) { [self] place in
            // The operation was cancelled meanwhile, and needs no resource.
            if asker.future.isCompleted {
                place.release()
                turn.release()
                return
            }
            call { try self.create() }.onResult(on: .inPlace) { [self] result in
                switch result {
                case .success(let resource): asker.succeed(Lease(Owned(resource: resource, place: place), turn, self))
                case .failure(let error):
                    place.release()
                    // Before the operation fails, so that its turn has ended when its listeners are called.
                    turn.release()
                    asker.fail(error)
                }
            }
        }
    }

    /// Stores a resource for the next operation.
    func giveBack(_ owned: Owned<Resource>) {
        if state.withLock({ $0.giveBack(owned) }) { tick() }
    }

    private func tick() {
        guard let idleTimeout, let timer else { return }
        timer.start(after: idleTimeout, on: scheduler) { [weak self] in
            guard let self else { return }
            let (expired, ticks) = state.withLock { $0.tick() }
            // First the timer: a close may take its time.
            if ticks { tick() }
            for owned in expired { discard(owned) }
        }
    }

    /// Closes a resource. On a concurrent scheduler, this is another job: a `close` that blocks delays neither the
    /// closing of other resources nor the callback in progress.
    func discard(_ owned: Owned<Resource>) {
        let close = close
        let closing =
            if scheduler.hasBeside {
                scheduler.beside { [self] in call { try close(owned.resource) } }
            } else {
                call { try close(owned.resource) }
            }
        closing.always(on: .inPlace) { owned.place.release() }
    }

    /// Returns a future that succeeds when no resource is used and all are closed. They are closed even if the future
    /// is not awaited.
    func drained() -> Future<Void> {
        line.emptiness(next: false).step(on: .inPlace, .values) { [self] _ in
            for owned in state.withLock({ $0.takeAll() }) { discard(owned) }
            return .future(places.line.emptiness(next: false))
        }.shieldedFromCancellation()
    }

    /// Calls a closure of the pool's owner on the pool's scheduler.
    private func call<T>(_ body: @escaping @Sendable () throws -> Future<T>) -> Future<T> {
        Future<Void>().step(on: scheduler, .values) { _ in .future(try body()) }
    }
}

/// An operation of a pool, which gives back what it was lent before its turn.
// Safe to share: its own property does not change. That is no reference of its own, as the operation has one: `ended`
// may be called by the `deinit` of the superclass.
private final class PoolNode<Resource: Sendable>: LineNode, @unchecked Sendable {
    private let pool: Unmanaged<Pool<Resource>>

    init(
        _ pool: Pool<Resource>, on scheduler: Scheduler, _ options: QueueOptions, _ closure: Closure,
        _ operation: @escaping Operation
    ) {
        self.pool = .passUnretained(pool)
        super.init(in: pool.line, nil, on: scheduler, options, closure, operation)
    }

    private init(repeating node: PoolNode) {
        pool = node.pool
        super.init(repeating: node)
    }

    override func copy() -> QueuedNode? { PoolNode(repeating: self) }

    override func ended() {
        pool._withUnsafeGuaranteedRef { $0.takeBack(from: self) }
        super.ended()
    }
}
