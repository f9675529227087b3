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
        enqueue(on: scheduler, options, origin, operation, finally: CleanupStep(on: scheduler, cleanup))
    }

    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>, finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        switch kind {
        case .line(let core, let lane, let isExclusive):
            core.enqueue(on: scheduler, QueueOptions(options, origin, isExclusive), in: lane, operation, finally: step)
        case .pool(let pool): pool.visit(on: scheduler, QueueOptions(options, origin), operation, finally: step)
        }
    }

    /// Enqueues an operation that is called with its turn too, which lasts until that is released.
    func enqueueWithTurn<T: Sendable>(
        on scheduler: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (Resource, Turn) throws -> Future<T>
    ) -> Future<T> {
        switch kind {
        case .line(let core, let lane, let isExclusive):
            core.enqueueWithTurn(on: scheduler, QueueOptions(options, origin, isExclusive), in: lane, operation)
        case .pool(let pool): pool.visitWithTurn(on: scheduler, QueueOptions(options, origin), operation)
        }
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
