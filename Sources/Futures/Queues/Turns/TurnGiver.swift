// TurnGiver: the operations of everything that gives turns.

/// What gives turns to operations: a queue, a key of a keyed queue, a lock, a semaphore or a pool.
///
///     queue.enqueue { file in file.append(line) }                 // a closure that returns a future
///     pool.run { connection in try await connection.ask("…") }    // an asynchronous closure
///     queue.run { file in try file.seek(to: 0) }                  // a synchronous closure
///     queue.on(.background).run(with: .priority(.high)) { file in try file.seek(to: 0) }
///
/// An operation starts when its closure is called, and keeps its turn, and with it the resource, until its future has
/// completed. If the value of that future is itself a future, or an optional or an array of futures, the turn lasts
/// until these have completed as well. Futures inside other types, futures that the closure does not return, and tasks
/// that it does not await, are not waited for.
///
/// Cancelling the future of an operation cancels the operation: if it waits, it is never called; if it runs, what it
/// waits for is cancelled, and the turn lasts until that has ended. Listeners of a completed operation are called before
/// the next operation starts. A repetition of an operation's future enqueues the operation again.
///
/// An operation must not wait for one behind it. If it does, through futures, it fails within two seconds with
/// ``QueueError/deadlock(running:waiting:)``.
public protocol TurnGiver<Resource>: Sendable {
    /// What operations are called with. Closures without a parameter match `Void`.
    associatedtype Resource: Sendable

    /// Where operations wait for their turn. Only the library makes such values, so only its types give turns.
    static func _turns(of giver: Self) -> TurnSource<Resource>
}

/// Where operations of a ``TurnGiver`` wait for their turn. That of the readers or writers of a lock is one itself.
public struct TurnSource<Resource: Sendable>: TurnGiver {
    @usableFromInline let core: QueueCore<Resource>
    /// That of a key.
    @usableFromInline let lane: Lane?
    /// The least weight of an operation.
    @usableFromInline let weight: Int

    @inlinable
    init(_ core: QueueCore<Resource>, _ lane: Lane? = nil, weight: Int = 1) {
        self.core = core
        self.lane = lane
        self.weight = weight
    }

    /// This source.
    @inlinable
    public static func _turns(of giver: Self) -> Self { giver }
}

extension TurnGiver {
    @inlinable
    var turns: TurnSource<Resource> { Self._turns(of: self) }

    /// Enqueues an operation whose closure returns a future.
    ///
    /// - Parameters:
    ///   - options: The priority, the weight and the time limits.
    ///   - file: The file that errors and reports name.
    ///   - line: The line that errors and reports name.
    ///   - operation: Called with the resource when its turn has come. It runs on the closure's actor, or else on the
    ///     queue's `executeOn:` scheduler, or else on the current scheduler, whose clock measures the time limits. An
    ///     error that it throws fails the returned future.
    ///   - cleanup: The last step of the turn of each operation that was called, however it ends: with a value, an
    ///     error, a cancel or a time limit. The future completes after the cleanup, or immediately if it is cancelled or
    ///     a time limit passes; the cleanup then starts when the operation has ended. Nothing cancels it. Its error
    ///     replaces a value but not an error, and is lost if the future has completed before. The queue continues:
    ///     let the cleanup close it if its resource cannot be used any more. A pool closes the resource itself. The
    ///     cleanup must not wait for a turn of its own queue: the queue is blocked then, and the future fails with
    ///     ``QueueError/deadlock(running:waiting:)`` unless it has completed before. A cancelled operation that waits for
    ///     such a turn and has other listeners blocks the queue, too.
    /// - Returns: A future of the result of the future that `operation` returns. It fails with a ``QueueError`` if too
    ///   many operations wait or a time limit passes, and with the queue's error if that is closed or cancelled.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> Future<T>,
        @_inheritActorContext finally cleanup: (
            @Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>
        )? = nil
    ) -> Future<T> {
        let turns = turns
        let scheduler = turns.scheduler(of: operation.isolation)
        return turns.enqueue(
            on: scheduler, options, .init(file, line: line), Following(.isolated(operation)).call,
            finally: cleanup.map { cleanupStep(on: scheduler, $0) })
    }

    /// Runs a synchronous closure when its turn has come, without a task. The turn ends when the closure has returned.
    /// For the parameters and the result: see ``enqueue(with:file:line:_:finally:)``.
    @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> T
    ) -> Future<T> {
        let turns = turns
        return turns.run(
            on: turns.scheduler(of: operation.isolation), options, .init(file, line: line),
            Body(.isolated(operation)).call)
    }

    /// Returns these turns for closures that run on `scheduler` and inherit no actor: main-actor state is rejected in them.
    ///
    /// - Parameter scheduler: What closures are called on; for asynchronous closures, the executor of their tasks. Its
    ///   clock measures the time limits.
    @inlinable
    public func on(_ scheduler: Scheduler) -> TurnsOnScheduler<Self> {
        TurnsOnScheduler(giver: self, scheduler: scheduler)
    }
}

/// The turns of a queue, lock or pool for closures that run on a scheduler: see ``TurnGiver/on(_:)``.
public struct TurnsOnScheduler<Giver: TurnGiver>: Sendable {
    @usableFromInline package let giver: Giver
    @usableFromInline package let scheduler: Scheduler

    @inlinable
    init(giver: Giver, scheduler: Scheduler) {
        self.giver = giver
        self.scheduler = scheduler
    }

    /// Enqueues an operation whose closure returns a future: see ``TurnGiver/enqueue(with:file:line:_:finally:)``.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Giver.Resource) throws -> Future<T>,
        finally cleanup: (@Sendable (Giver.Resource, Result<T, any Error>) throws -> Future<Void>)? = nil
    ) -> Future<T> {
        giver.turns.enqueue(
            on: scheduler, options, .init(file, line: line), operation,
            finally: cleanup.map { cleanupStep(on: scheduler, $0) })
    }

    /// Runs a synchronous closure: see ``TurnGiver/run(with:file:line:_:)``.
    @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Giver.Resource) throws -> T
    ) -> Future<T> {
        giver.turns.run(on: scheduler, options, .init(file, line: line), operation)
    }
}

extension TurnGiver {
    /// Runs an asynchronous closure when its turn has come. The turn lasts until the closure has returned.
    ///
    ///     pool.run { connection in try await connection.ask("…") } finally: { connection, _ in await connection.reset() }
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. Cancelling the future completes it immediately and cancels the task; the turn lasts until the task
    /// has completed, so a task that ignores the cancellation keeps its turn. If the task waits for an operation behind
    /// it in the same queue, both stay pending: this deadlock is not detected.
    ///
    /// - Parameters:
    ///   - options: The priority, the weight and the time limits.
    ///   - file: The file that errors and reports name.
    ///   - line: The line that errors and reports name.
    ///   - operation: Called with the resource when its turn has come. It runs on the closure's actor, or else with the
    ///     queue's `executeOn:` scheduler as its executor, or else on the concurrent pool.
    ///   - cleanup: The last step of the turn of each operation that was called, in a task of its own: see
    ///     ``enqueue(with:file:line:_:finally:)``.
    /// - Returns: A future of what `operation` returns or throws, or of an error of the queue.
    @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        @_inheritActorContext finally cleanup: (
            @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
        )? = nil
    ) -> Future<T> {
        let turns = turns
        let executor = operation.isolation == nil ? turns.core.executeOn : nil
        return turns.runTask(on: executor ?? .immediate, options, .init(file, line: line), operation, finally: cleanup)
    }
}

extension TurnsOnScheduler {
    /// Runs an asynchronous closure: see ``TurnGiver/run(with:file:line:_:finally:)``.
    @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Giver.Resource) async throws -> T,
        finally cleanup: (@Sendable (Giver.Resource, Result<T, any Error>) async throws -> Void)? = nil
    ) -> Future<T> {
        giver.turns.runTask(on: scheduler, options, .init(file, line: line), operation, finally: cleanup)
    }
}
