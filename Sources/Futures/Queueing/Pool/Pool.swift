// Pool: makes, keeps, checks and closes the resources of a ResourcePool.

internal import Synchronization

/// Makes, keeps, checks and closes the resources of a ``ResourcePool``.
final class Pool<Resource: Sendable>: Sendable {
    /// Who has a turn here may have a resource.
    let station: Station<Void>
    private let state: Locked<PoolState<Resource>>
    private let maxIdle: Duration?
    private let scheduler: Scheduler
    private let create: @Sendable () throws -> Future<Resource>
    private let check: (@Sendable (Resource) throws -> Future<Bool>)?
    private let close: @Sendable (Resource) throws -> Future<Void>
    /// Those that are being closed.
    private let closing = WaitingLine(LineLimits(.max))

    init(
        _ limits: LineLimits, maxIdle: Duration?, on scheduler: Scheduler,
        create: @escaping @Sendable () throws -> Future<Resource>,
        check: (@Sendable (Resource) throws -> Future<Bool>)?,
        close: @escaping @Sendable (Resource) throws -> Future<Void>
    ) {
        station = Station((), WaitingLine(limits))
        state = Locked(PoolState(expires: maxIdle != nil))
        self.maxIdle = maxIdle
        self.scheduler = scheduler
        self.create = create
        self.check = check
        self.close = close
    }

    var line: WaitingLine { station.line }

    var idleCount: Int { state.withLock { $0.idleCount } }

    /// Calls `operation` with a resource when its turn has come.
    func visit<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms, _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        // Where it is checked first, the turn is not the operation's yet.
        let place = check == nil ? scheduler : .immediate
        let node = Node(source: nil, on: place, terms.traits, .following(operation), origin: terms.origin) {
            [self] node, call in
            switch call {
            case .arrived:
                let waits = node.takeTurn(T.self) {
                    if terms.isTimed { terms.limitRunning(of: node) }
                    let operation = node.closure.following(Resource.self, T.self)
                    if let resource = lend(to: node) { return try operation(resource) }
                    return lease(line.hold(node)).flatMap(on: .immediate) { $0.use(on: scheduler, operation) }
                }
                if waits { line.hasJoined(node) }
            case .over:
                takeBack(from: node)
                line.hear(call, of: node)
            default: line.hear(call, of: node, terms)
            }
        }
        line.enqueue(node, terms)
        return Future(node: node)
    }

    /// The same, but the operation has its resource until the hold is let go of too.
    func visitHeld<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms, _ operation: @escaping @Sendable (Resource, Hold) throws -> Future<T>
    ) -> Future<T> {
        station.enqueueHeld(on: .immediate, terms) { [self] _, hold in
            lease(hold).flatMap(on: .immediate) { $0.useHeld(on: scheduler, operation) }
        }
    }

    /// A resource that is at hand and has to be asked nothing.
    private func lend(to node: Node) -> Resource? {
        check == nil ? state.withLock { $0.lend(to: ObjectIdentifier(node)) } : nil
    }

    private func takeBack(from node: Node) {
        if state.withLock({ $0.takeBack(from: ObjectIdentifier(node)) }) { tick() }
    }

    /// A resource for who has the turn, which the hold keeps: one that is idle and healthy, else a new one.
    private func lease(_ hold: Hold) -> Future<Lease<Resource>> {
        guard let resource = state.withLock({ $0.take() }) else { return created(hold) }
        let lease = Lease(resource, hold, self)
        guard let check else { return Future(lease) }
        return call { try check(resource) }.step(on: .immediate, .results) { [self] result in
            if case .success(true) = result { return .value(lease) }
            // Another one only when this is closed: so there are never more than allowed.
            lease.take()
            return .future(discard(resource).step(on: .immediate, .results) { _ in .future(self.lease(hold)) })
        }
    }

    /// A new resource. Its making goes on if the one who asked leaves: else what is made at that moment would be lost.
    private func created(_ hold: Hold) -> Future<Lease<Resource>> {
        let asker = Promise<Lease<Resource>>()
        call { try self.create() }.onResult(on: .immediate) { [self] result in
            asker.complete(result.map { Lease($0, hold, self) })
        }
        return asker.future
    }

    /// Keeps a resource for the next one.
    fileprivate func giveBack(_ resource: Resource) {
        if state.withLock({ $0.giveBack(resource) }) { tick() }
    }

    private func tick() {
        guard let maxIdle else { return }
        scheduler.async(after: maxIdle) { [weak self] in
            guard let self else { return }
            let (expired, ticks) = state.withLock { $0.tick() }
            for resource in expired { discard(resource) }
            if ticks { tick() }
        }
    }

    @discardableResult
    private func discard(_ resource: Resource) -> Future<Void> {
        let close = close
        return Station((), closing).enqueue(on: scheduler, Terms(origin: .init())) { try close(resource) }
    }

    /// A future that succeeds when nobody uses a resource any more, and all are closed.
    func drained() -> Future<Void> {
        line.emptiness(next: false).step(on: .immediate, .values) { [self] _ in
            for resource in state.withLock({ $0.takeAll() }) { discard(resource) }
            return .future(closing.emptiness(next: false))
        }
    }

    /// Calls a closure of the pool's owner on the pool's scheduler.
    private func call<T>(_ body: @escaping @Sendable () throws -> Future<T>) -> Future<T> {
        Future<Void>().step(on: scheduler, .values) { _ in .future(try body()) }
    }
}

/// A resource that is out, and the turn of whoever has it. It goes back once: at the latest when nobody holds it.
final class Lease<Resource: Sendable>: Sendable {
    let resource: Resource
    private let hold: Hold
    private let pool: Pool<Resource>
    private let isOver = Atomic<Bool>(false)

    init(_ resource: Resource, _ hold: Hold, _ pool: Pool<Resource>) {
        self.resource = resource
        self.hold = hold
        self.pool = pool
    }

    deinit { giveBack() }

    /// Gives back first the resource and then the turn.
    func giveBack() {
        guard take() else { return }
        pool.giveBack(resource)
        hold.letGo()
    }

    /// Whether the resource had not gone back yet. It does not now: it is the caller's.
    @discardableResult
    func take() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }

    /// Calls `operation` with the resource, which goes back when its future is over and its closure has returned.
    func use<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let node = Node(source: nil, on: scheduler, .queued, Closure()) { [self] node, call in
            switch call {
            case .arrived: node.takeTurn(T.self) { try operation(resource) }
            case .over: giveBack()
            case .unending: node.fallDormant(leavingQueue: true)
            case .enqueued, .heard, .aborted, .cancelled: return
            }
        }
        node.queue = ObjectIdentifier(self)
        ThreadState.here.serve(node)
        return Future(node: node)
    }
}
