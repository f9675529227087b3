// ResourcePool: resources that are made when they are needed, and used again.

/// Hands out resources, such as connections, to one operation each; makes them when they are needed, up to a limit, and
/// keeps them for the next ones.
///
///     let pool = ResourcePool(maxCount: 10, maxIdle: .seconds(60)) {
///         Connection.open(to: server)                         // Future<Connection>
///     } check: { connection in
///         connection.ping()                                   // Future<Bool>
///     } close: { connection in
///         connection.close()                                  // Future<Void>
///     }
///     pool.enqueue { connection in connection.query("…") }               // Future<Answer>
///     pool.withResource { connection in try await connection.ask("…") }   // asynchronous code
///
/// Operations that find none wait for their turn, in the order in which they came. A resource comes back when the
/// operation's future is over, however that ends, and when its closure has returned; the one that came back last is
/// handed out first. An operation that waits for another one of the same pool, while all resources are out, fails with
/// ``QueueError/deadlock(running:waiting:)`` where a ``FutureQueue`` would see that; else it waits for ever.
public final class ResourcePool<Resource: Sendable>: Sendable {
    let pool: Pool<Resource>

    /// Makes a pool of at most `maxCount` resources, and makes none of them yet.
    ///
    /// `create` makes one; if it fails, so does the operation that needs it. `check` is asked before one is handed out
    /// again: if it fails or says false, that one is closed and another one taken. `close` gets those that are not
    /// needed any more: of which nobody had need for `maxIdle` to twice that time, and all when the pool is closed or
    /// let go of; its errors are ignored. A resource counts until its `close` is over. They are called on `scheduler`,
    /// whose time counts too, and not cancelled: what has begun for an operation that is cancelled goes on to its end.
    ///
    /// - Precondition: `maxCount` is at least 1, and `maxWaitingCount` not negative.
    public init(
        maxCount: Int, maxIdle: Duration? = nil, maxWaitingCount: Int = .max, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line,
        create: @escaping @Sendable () throws -> Future<Resource>,
        check: (@Sendable (Resource) throws -> Future<Bool>)? = nil,
        close: @escaping @Sendable (Resource) throws -> Future<Void> = { _ in Future() }
    ) {
        guard maxCount >= 1 else {
            fatalError("A pool's maxCount must be at least 1, or it could hand out nothing.", file: file, line: line)
        }
        pool = Pool(
            LineLimits(maxCount, maxWaitingCount, file: file, line: line), maxIdle: maxIdle, on: scheduler,
            create: create, check: check, close: close)
    }

    deinit {
        close()
        pool.line.disown()
    }

    /// How many resources wait for an operation.
    public var idleCount: Int { pool.idleCount }

    /// How many resources are out, or about to be.
    public var takenCount: Int { pool.line.state.withLock { $0.runningCount } }

    /// How many operations wait for a resource.
    public var waitingCount: Int { pool.line.state.withLock { $0.waitingCount } }

    /// Calls `operation` with a resource once there is one, which is its own until the future that it returns is over.
    ///
    /// Without its turn after `waitingAtMost` it fails with ``QueueError/waitedTooLong(_:)``.
    @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        return pool.visit(on: scheduler, QueueOptions(priority, waitingAtMost, nil, .init(file, line: line)), operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        pool.visit(on: scheduler, QueueOptions(priority, waitingAtMost, nil, .init(file, line: line)), operation)
    }

    /// Refuses operations from now on, with `error`; what waits or runs goes on.
    ///
    /// The future that is returned succeeds when all of that is over and all resources are closed, which they are also
    /// if it is cancelled.
    @discardableResult
    public func close(with error: any Error = QueueError.closed) -> Future<Void> {
        pool.line.close(with: error)
        return pool.drained()
    }
}
