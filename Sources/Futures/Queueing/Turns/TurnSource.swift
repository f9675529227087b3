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
                return core.enqueue(on: scheduler, QueueOptions(options, origin, isExclusive), operation, in: lane)
            case .pool(let pool): return pool.visit(on: scheduler, QueueOptions(options, origin), operation)
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
        enqueue(
            on: scheduler, queueOptions(options, origin), operation, finally: CleanupStep(on: scheduler, cleanup))
    }

    /// Enqueues an operation whose turn lasts until its cleanup is complete. If the cleanup fails, a pool closes the
    /// resource.
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>, finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        enqueue(on: scheduler, options) { node, _ in
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
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource, Turn) throws -> Future<T>
    ) -> Future<T> {
        enqueue(on: scheduler, options) { node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                node.startTime()
                let (resource, turn, _) = try admit(node)
                return try operation(resource, turn)
            }
        }
    }

    private func enqueue<T>(
        on scheduler: Scheduler, _ options: QueueOptions, _ operation: @escaping Node.Operation
    ) -> Future<T> {
        let node =
            switch kind {
            case .line(let core, let lane, _):
                LineNode(in: core.line, lane, on: scheduler, options, Closure(), operation)
            case .pool(let pool): PoolNode(pool, on: scheduler, options, Closure(), operation)
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

    func queueOptions(_ options: TurnOptions, _ origin: FutureError.SourceLocation) -> QueueOptions {
        if case .line(_, _, let isExclusive) = kind { return QueueOptions(options, origin, isExclusive) }
        return QueueOptions(options, origin)
    }

    @inlinable
    func run<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource) throws -> T
    ) -> Future<T> {
        switch kind {
        case .line(let core, let lane, let isExclusive):
            core.run(on: scheduler, QueueOptions(options, origin, isExclusive), operation, in: lane)
        case .pool(let pool):
            pool.visit(on: scheduler, QueueOptions(options, origin)) { Future(try operation($0)) }
        }
    }
}
