// TurnSource: how an operation of each kind of turn giver is enqueued.

extension TurnSource {
    /// Where a closure runs that was given without `on(_:)`: where its actor says, or the queue, or the code around it.
    @inlinable
    func scheduler(of isolation: (any Actor)?) -> Scheduler {
        if isolation == nil, let executeOn { return executeOn }
        return .inferred(from: isolation)
    }

    @inlinable
    var executeOn: Scheduler? {
        if case .line(let core, _, _) = kind { core.executeOn } else { nil }
    }

    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        finally cleanup: (@Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>)?
    ) -> Future<T> {
        guard let cleanup else {
            switch kind {
            case .line(let core, let lane, let isExclusive):
                return core.enqueue(on: scheduler, options, origin, lane, isExclusive: isExclusive, operation)
            case .pool(let pool): return pool.visit(on: scheduler, options, origin, operation)
            }
        }
        return enqueueCleaned(on: scheduler, options, origin, operation, cleanup)
    }

    @usableFromInline
    func enqueueCleaned<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        _ cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        enqueue(on: scheduler, options, origin, operation, finally: CleanupStep(on: scheduler, cleanup))
    }

    /// Enqueues an operation whose turn lasts until its cleanup is complete. If the cleanup fails, a pool closes the
    /// resource.
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>, finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        enqueue(on: scheduler, options, origin) { node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                let (resource, turn, lent) = try admit(node)
                let line = node.line
                let cleanup = Cleanup(
                    resource, step, keeping: turn, ending: node.timeLimits?.runningTimer(of: node),
                    check: line.cleanupCheck(of: node, node.origin), failure: CleanupFailure(line: line, lent: lent))
                node.keepFromNowOn(cleanup)
                return cleanup.run(node) { try operation(resource) }
            }
        }
    }

    /// Enqueues an operation that is called with its turn too, which lasts until that is released.
    func enqueueWithTurn<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource, Turn) throws -> Future<T>
    ) -> Future<T> {
        enqueue(on: scheduler, options, origin) { node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                node.startTime()
                let (resource, turn, _) = try admit(node)
                return try operation(resource, turn)
            }
        }
    }

    private func enqueue<T>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping Node.Operation
    ) -> Future<T> {
        let node =
            switch kind {
            case .line(let core, let lane, let isExclusive):
                LineNode(
                    in: core.line, lane, isExclusive: isExclusive, on: scheduler, options, origin, Closure(), operation)
            case .pool(let pool): PoolNode(pool, on: scheduler, options, origin, Closure(), operation)
            }
        node.enqueue()
        return Future(node: node)
    }

    /// What an operation gets that has started; of a pool, also the resource as the pool's state sees it.
    private func admit(_ node: LineNode) throws -> (resource: Resource, turn: Turn, lent: PooledResource?) {
        switch kind {
        case .line(let core, _, _): return (core.resource, core.line.turn(of: node), nil)
        case .pool(let pool):
            let node = unsafeDowncast(node, to: PoolNode.self)
            let lent = try pool.lend(to: node)
            return (pool.typed(lent), pool.turn(of: node), lent)
        }
    }

    @inlinable
    func run<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource) throws -> T
    ) -> Future<T> {
        switch kind {
        case .line(let core, let lane, let isExclusive):
            core.run(on: scheduler, options, origin, lane, isExclusive: isExclusive, operation)
        case .pool(let pool): pool.visit(on: scheduler, options, origin) { Future(try operation($0)) }
        }
    }
}

/// A resource, and the line before it.
@usableFromInline
// Safe to share: `held` changes in the deinit only.
final class QueueCore<Resource: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var held: Resource?
    @usableFromInline let line: Line
    @usableFromInline let executeOn: Scheduler?

    init(_ resource: Resource, _ line: Line, executeOn scheduler: Scheduler? = nil) {
        held = resource
        self.line = line
        executeOn = scheduler
    }

    // Queues may be each other's resources, however many.
    deinit { if !_isPOD(Resource.self) { DeferredReleases.here.release(&held) } }

    @inlinable var resource: Resource { held.unsafelyUnwrapped }
}

// The closures capture this only: the object is their context then, and they allocate nothing. A
// `LineNode` does not retain its line: this object does. `lane` is that of a key.
extension QueueCore {
    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation, _ lane: Lane?,
        isExclusive: Bool, _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let node = LineNode(
            in: line, lane, isExclusive: isExclusive, on: scheduler, options, origin, Closure(Following(operation))
        ) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                node.startTime()
                return try node.closure.load(as: Following<Resource, T>.self).call(resource)
            }
        }
        node.enqueue()
        return Future(node: node)
    }

    @inlinable
    func run<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation, _ lane: Lane?,
        isExclusive: Bool, _ body: @escaping @Sendable (Resource) throws -> T
    ) -> Future<T> {
        let node = LineNode(
            in: line, lane, isExclusive: isExclusive, on: scheduler, options, origin, Closure(Body(body))
        ) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn {
                node.startTime()
                return try node.closure.load(as: Body<Resource, T>.self).call(resource)
            }
        }
        node.enqueue()
        return Future(node: node)
    }
}
