// Pool: creates, stores, checks and closes the resources of a ResourcePool.

/// Creates, stores, checks and closes the resources of a ``ResourcePool``.
// Safe to share: `owner` changes in the deinit only.
final class Pool<Resource: Sendable>: PoolStock, @unchecked Sendable {
    /// The closures of the pool's owner.
    private struct Owner {
        let create: @Sendable () throws -> Future<Resource>
        let check: (@Sendable (Resource) throws -> Future<Bool>)?
        let close: @Sendable (Resource) throws -> Future<Void>
    }

    /// A request for a resource, of an operation that has its turn.
    // Safe to share: its properties do not change.
    private final class Asker: PoolAsker, @unchecked Sendable {
        private let promise = Promise<Lease<Resource>>()
        /// What waits for a place for a new resource, while no resource has been found.
        let place = Locked<Future<Turn>?>(nil)

        var future: Future<Lease<Resource>> { promise.future }

        func takePlace() -> Future<Turn>? { place.withLock { $0.take() } }

        func succeed(_ lease: Lease<Resource>) { promise.succeed(lease) }

        /// The turn ends first, so that it has ended when the listeners of the operation are called.
        func fail(_ error: any Error) {
            turn.release()
            promise.fail(error)
        }
    }

    /// The line of the operations: one with a turn may have a resource.
    let core: QueueCore<Void>
    @exclusivity(unchecked) private var owner: Owner?
    /// Beside `owner`, whose type the runtime would be asked for.
    private let hasCheck: Bool
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
        hasCheck = check != nil
        owner = Owner(create: create, check: check, close: close)
        super.init(idleTimeout: idleTimeout, on: scheduler)
    }

    deinit {
        // Pools may be each other's resources, however many.
        var idle: PoolState? = state.withLock { state in
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
        !hasCheck
            ? enqueue(on: scheduler, options, callingOn: scheduler, operation)
            : enqueue(on: .inPlace, options.timed(on: scheduler), callingOn: scheduler, operation)
    }

    // Inlined, so that an operation without a check does not pay for the choice.
    @inline(__always)
    private func enqueue<T: Sendable>(
        on place: Scheduler, _ options: QueueOptions, callingOn scheduler: Scheduler,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let node = PoolNode(self, line, on: place, options, Closure(Following(operation))) { [self] node, _ in
            let node = unsafeDowncast(node, to: PoolNode.self)
            node.takeTurn(T.self) {
                node.startTime()
                let operation = node.closure.load(as: Following<Resource, T>.self).call
                if let owned = lend(to: node) { return try operation(owned.resource) }
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
    @inline(__always)
    private func lend(to node: PoolNode) -> Owned<Resource>? {
        guard !hasCheck, let resource = state.withLock({ $0.lend(to: node) }) else { return nil }
        return typed(resource)
    }

    override func hand(_ resource: PooledResource, to asker: PoolAsker) {
        let asker = unsafeDowncast(asker, to: Asker.self)
        asker.takePlace()?.cancel()
        check(typed(resource), for: asker)
    }

    /// A resource with its type: the state has only this pool's.
    @inline(__always)
    private func typed(_ resource: PooledResource) -> Owned<Resource> {
        unsafeDowncast(resource, to: Owned<Resource>.self)
    }

    /// Returns a lease for the operation that has the turn: of an idle and healthy resource, or else of a new one.
    ///
    /// A check or a creation continues if the operation is cancelled: otherwise a resource that is being created would
    /// be lost, and one that is being checked would be lent meanwhile.
    func lease(_ turn: Turn) -> Future<Lease<Resource>> {
        let asker = Asker(turn)
        find(for: asker)
        return asker.future
    }

    private func find(for asker: Asker) {
        if let resource = state.withLock({ $0.take(for: asker) }) {
            check(typed(resource), for: asker)
        } else {
            wait(asker)
        }
    }

    private func check(_ owned: Owned<Resource>, for asker: Asker) {
        let lease = Lease(owned, asker.turn, self)
        guard let check else { return asker.succeed(lease) }
        call { try check(owned.resource) }.onResult(on: .inPlace) { [self] result in
            if case .success(true) = result { return asker.succeed(lease) }
            lease.take()
            // Both start before a callback of either is called. First the search: then a close that blocks does
            // not delay the operation that gets another resource.
            var jobs = JobList(ClosureJob(.urgent) { [self] in find(for: asker) })
            jobs.append(ClosureJob(.urgent) { [self] in discard(owned) })
            ThreadState.here.serve(jobs.urgentFirst)
        }
    }

    /// Waits until a resource is given back, or the number of resources, with those that are being closed, is below the
    /// limit. Then another one is created.
    private func wait(_ asker: Asker) {
        let place = places.enqueueWithTurn(on: .inPlace, QueueOptions(.normal, nil, nil, .init())) { _, place in
            Future(place)
        }.onValue(on: .inPlace) { [self] place in
            // The closure is retained by what that refers to.
            _ = asker.takePlace()
            guard state.withLock({ $0.stopWaiting(asker) }) else { return place.release() }
            make(asker, in: place)
        }
        if place.isCompleted { return }
        asker.place.withLock { $0 = place }
        // It may have got a place or a resource meanwhile.
        guard state.withLock({ $0.isWaiting(asker) }) else { return _ = asker.takePlace()?.cancel() }
        // An operation that is cancelled needs no resource.
        asker.future.whenOver { [self] in
            guard state.withLock({ $0.stopWaiting(asker) }) else { return }
            asker.takePlace()?.cancel()
            asker.turn.release()
        }
    }

    private func make(_ asker: Asker, in place: Turn) {
        // The operation was cancelled meanwhile, and needs no resource.
        if asker.future.isCompleted {
            place.release()
            asker.turn.release()
            return
        }
        call { try self.create() }.onResult(on: .inPlace) { [self] result in
            switch result {
            case .success(let resource):
                asker.succeed(Lease(Owned(resource, in: place), asker.turn, self))
            case .failure(let error):
                place.release()
                asker.fail(error)
            }
        }
    }

    /// Closes a resource. On a concurrent scheduler, this is another job: a `close` that blocks delays neither the
    /// closing of other resources nor the callback in progress.
    override func discard(_ resource: PooledResource) {
        let (owned, close) = (typed(resource), close)
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
            for resource in state.withLock({ $0.takeAll() }) { discard(resource) }
            return .future(places.line.emptiness(next: false))
        }.shieldedFromCancellation()
    }

    /// Calls a closure of the pool's owner on the pool's scheduler.
    private func call<T>(_ body: @escaping @Sendable () throws -> Future<T>) -> Future<T> {
        Future<Void>().step(on: scheduler, .values) { _ in .future(try body()) }
    }
}
