// TurnSource: how an operation of everything that gives turns is enqueued.

extension TurnSource {
    /// Where a closure runs that was given without `on(_:)`: where its actor says, or the queue, or the code around it.
    @inlinable
    func scheduler(of isolation: (any Actor)?) -> Scheduler {
        if isolation == nil, let executeOn = core.executeOn { return executeOn }
        return .inferred(from: isolation)
    }

    // The closures of operations capture the core only: the object is their context then, and they allocate nothing.
    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>, finally step: CleanupStep<Resource, T>?
    ) -> Future<T> {
        if let step { return enqueue(on: scheduler, options, origin, operation, before: step) }
        return add(on: scheduler, options, origin, Closure(Following(operation))) { [core] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) { try node.closure.load(as: Following<Resource, T>.self).call(core.start(node)) }
        }
    }

    @inlinable
    func run<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource) throws -> T
    ) -> Future<T> {
        add(on: scheduler, options, origin, Closure(Body(operation))) { [core] node, _ in
            let node = node.lineNode
            node.takeTurn { try node.closure.load(as: Body<Resource, T>.self).call(core.start(node)) }
        }
    }

    /// Enqueues an operation.
    @inlinable
    func add<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ closure: consuming Closure = Closure(), _ operation: @escaping Node.Operation
    ) -> Future<T> {
        let node = node(on: scheduler, options, origin, closure, operation)
        node.enqueue()
        return Future(node: node)
    }

    /// Makes the node of an operation, which has to retain the core: the node's deinit does not defer the line's release.
    @inlinable
    func node(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ closure: consuming Closure, _ operation: @escaping Node.Operation
    ) -> LineNode {
        if let pool = core.pool { return PoolNode(pool, on: scheduler, options, origin, closure, operation) }
        return LineNode(
            in: core.line, lane, weight: max(weight, options.weight), on: scheduler, options, origin, closure,
            operation)
    }

    /// Enqueues an operation whose turn lasts until its cleanup is complete. If the cleanup fails, a pool closes the
    /// resource.
    @usableFromInline
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>, before step: @escaping CleanupStep<Resource, T>
    ) -> Future<T> {
        add(on: scheduler, options, origin) { [core] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                let (resource, turn) = (core.start(node), core.line.turn(of: node))
                return Cleanup(resource: resource, step: step, node: node, turn: turn).run { try operation(resource) }
            }
        }
    }
}

/// A resource or a pool of resources, and the line before it.
@usableFromInline
// Safe to share: `held` changes in the deinit only.
final class QueueCore<Resource: Sendable>: @unchecked Sendable {
    /// Nil of a pool.
    @exclusivity(unchecked) @usableFromInline var held: Resource?
    @usableFromInline let pool: Pool?
    @usableFromInline let line: Line
    @usableFromInline let executeOn: Scheduler?

    init(_ resource: Resource?, _ line: Line, pool: Pool? = nil, executeOn scheduler: Scheduler? = nil) {
        held = resource
        self.pool = pool
        self.line = line
        executeOn = scheduler
    }

    // Queues may be each other's resources, however many.
    deinit { if !_isPOD(Resource.self) { DeferredReleases.here.release(&held) } }

    /// Starts the time limit of an operation that has its turn, and returns its resource.
    @inlinable
    func start(_ node: LineNode) -> Resource {
        node.timeLimits?.startRunning(node)
        return pool == nil ? held.unsafelyUnwrapped : lend(to: node)
    }

    @usableFromInline
    func lend(to node: LineNode) -> Resource {
        unsafeDowncast(pool!.lend(to: node), to: TypedResource<Resource>.self).resource.unsafelyUnwrapped
    }
}
