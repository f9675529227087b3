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

    /// A request for a resource that has to wait.
    // Safe to share: its property does not change.
    private final class Asker: PoolAsker, @unchecked Sendable {
        let request: Request

        init(_ request: Request) { self.request = request }
    }

    /// A request for a resource, of an operation that has its turn.
    private struct Request {
        let turn: Turn
        let promise = Promise<Lease<Resource>>()

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

    init(
        _ limits: LineLimits, named name: LineName, idleTimeout: Duration?, on scheduler: Scheduler,
        create: @escaping @Sendable () throws -> Future<Resource>,
        check: (@Sendable (Resource) throws -> Future<Bool>)?,
        close: @escaping @Sendable (Resource) throws -> Future<Void>
    ) {
        core = QueueCore((), Line(limits, named: name))
        hasCheck = check != nil
        owner = Owner(create: create, check: check, close: close)
        super.init(maxCount: limits.maxConcurrentCount, idleTimeout: idleTimeout, on: scheduler)
    }

    deinit {
        // Pools may be each other's resources, however many.
        var idle: PoolState? = state.withLock { state in
            defer { state = PoolState(limit: 0, expires: false) }
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

    /// How many resources the pool lacks to have `wanted`, or as many as it may have.
    func missingCount(of wanted: Int) -> Int { state.withLock { $0.missingCount(of: wanted) } }

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
        check(typed(resource), for: asker.request, asking: asker)
    }

    override func create(for asker: PoolAsker) { make(for: unsafeDowncast(asker, to: Asker.self).request) }

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
        let request = Request(turn: turn)
        find(for: request)
        return request.promise.future
    }

    private func find(for request: Request) {
        if let resource = state.withLock({ $0.take() }) {
            check(typed(resource), for: request, asking: nil)
        } else {
            ask(Asker(request))
        }
    }

    /// Gets the asker's request a resource: an idle one, or another one, or the next one that is given back.
    private func ask(_ asker: Asker) {
        let request = asker.request
        switch state.withLock({ $0.ask(asker) }) {
        case .resource(let resource): check(typed(resource), for: request, asking: asker)
        case .creates: make(for: request)
        case .waits:
            // An operation that is cancelled needs no resource.
            request.promise.future.whenOver { [self] in
                if state.withLock({ $0.stopWaiting(asker) }) { request.turn.release() }
            }
        }
    }

    /// Gives the request a resource that is healthy; otherwise looks for another one. `asker` is what has waited for
    /// the resource, if anything has.
    private func check(_ owned: Owned<Resource>, for request: Request, asking asker: Asker?) {
        let lease = Lease(owned, request.turn, self)
        guard let check else {
            request.promise.succeed(lease)
            return
        }
        let listener = call { try check(owned.resource) }.onResult(on: .inPlace) { [self] result in
            if case .success(true) = result {
                request.promise.succeed(lease)
                return
            }
            lease.take()
            // Both start before a callback of either is called. First the search: then a close that blocks does
            // not delay the operation that gets another resource.
            var jobs = JobList(
                ClosureJob(.urgent) { [self] in
                    if let asker { ask(asker) } else { find(for: request) }
                })
            jobs.append(ClosureJob(.urgent) { [self] in discard(owned) })
            ThreadState.here.serve(jobs.urgentFirst)
        }
        // Another resource is looked for.
        listener.node.noteObserved()
    }

    /// Creates a resource when it has a turn, unless the pool has `count` by then.
    func prewarm(upTo count: Int, _ options: QueueOptions) -> Future<Void> {
        core.enqueueWithTurn(on: .inPlace, options) { [self] _, turn in
            guard state.withLock({ $0.takePlace(upTo: count) }) else {
                turn.release()
                return Future()
            }
            let request = Request(turn: turn)
            make(for: request)
            return request.promise.future.map(on: .inPlace) { $0.release() }
        }
    }

    /// Creates a resource in a place that is taken.
    private func make(for request: Request) {
        let place = place()
        // The operation was cancelled meanwhile, and needs no resource.
        if request.promise.future.isCompleted {
            place.release()
            request.turn.release()
            return
        }
        let listener = call { try self.create() }.onResult(on: .inPlace) { [self] result in
            switch result {
            case .success(let resource):
                request.promise.succeed(Lease(Owned(resource, in: place), request.turn, self))
            case .failure(let error):
                place.release()
                request.fail(error)
            }
        }
        // The request has the error.
        listener.node.noteObserved()
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
            for resource in takeAll() { discard(resource) }
            return .future(closed())
        }.shieldedFromCancellation()
    }

    /// A future that succeeds when all resources are closed.
    private func closed() -> Future<Void> {
        let promise = Promise<Void>()
        if !state.withLock({ $0.keep(promise) }) { promise.succeed() }
        return promise.future
    }

    /// Calls a closure of the pool's owner on the pool's scheduler.
    private func call<T>(_ body: @escaping @Sendable () throws -> Future<T>) -> Future<T> {
        Future<Void>().step(on: scheduler, .values) { _ in .future(try body()) }
    }
}
