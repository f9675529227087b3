// ResourcePool: resources that are created on demand and reused.

/// A pool of resources, such as connections, which it creates on demand, lends to one operation each, and reuses.
///
///     let pool = ResourcePool(maxCount: 10, idleTimeout: .seconds(60)) {
///         Connection.open(to: server)                         // Future<Connection>
///     } check: { connection in
///         connection.ping()                                   // Future<Bool>
///     } close: { connection in
///         connection.close()                                  // Future<Void>
///     }
///     pool.enqueue { connection in connection.query("…") }               // Future<Answer>
///     pool.run { connection in try await connection.ask("…") }   // asynchronous code
///
/// While all resources are taken, operations wait for their turn in the order in which they were enqueued. A resource
/// is given back when the operation's closure has returned and its future has completed, whatever the result. The
/// resource that was given back last is reused first. An operation that waits for another one of the same pool, while
/// all resources are taken, fails with ``QueueError/deadlock(running:waiting:)``.
public final class ResourcePool<Resource: Sendable>: TurnQueue, TurnGiver {
    @usableFromInline let core: QueueCore<Resource>
    private let pool: Pool

    /// Where operations wait for a resource.
    @inlinable
    public static func _turns(of giver: ResourcePool) -> TurnSource<Resource> { TurnSource(giver.core) }

    /// Creates an empty pool.
    ///
    /// The closures are called on `scheduler`. A future of `create` or `check` is cancelled when an operation is
    /// cancelled, or has waited for too long, and no other one waits for a resource; and when the pool is closed. `create`
    /// has to close what it creates after that, also if others still listen to its future. Creations and checks belong to
    /// the pool: no operation's turn waits for them to end, and ``TurnQueue/cancelAll(with:)`` and
    /// ``TurnQueue/cancelWaiting()`` let them continue.
    ///
    /// - Parameters:
    ///   - label: What messages call the pool; nil for the place where it is made.
    ///   - maxCount: The maximum number of resources: see ``maxCount``.
    ///   - minIdleCount: How many unused resources are kept ready, as long as there are at most `maxCount`: they are
    ///     created in advance, and not closed after `idleTimeout`. If a creation fails, the next one is tried when the
    ///     pool is used, a resource was closed, or `idleTimeout` or `maxAge` has passed.
    ///   - callTimeout: The time limit of the future that each call of `create`, `check` and `close` returns. When it has
    ///     passed, the future is cancelled and counts as failed.
    ///   - idleTimeout: How long an unused resource is kept; it is closed after this time to twice this time. Nil for
    ///     no limit. If it is zero or less, none is kept: each operation has a resource of its own, which is closed
    ///     when its turn ends, and before another one is created. `Documentation/Guides/Leases.md` makes leases of that.
    ///   - maxAge: The time since its creation after which a resource is closed instead of being used again; nil for no
    ///     limit.
    ///   - maxUseCount: The number of operations after which a resource is closed.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``. In addition, one may wait for each resource below `maxCount`.
    ///   - scheduler: What the closures are called on. Its clock measures the durations.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    ///   - create: Creates a resource. If it fails, and the pool has no other resource, in use, checked or being created,
    ///     the first operation that waits fails with its error. Otherwise it is called again, for each operation that
    ///     waits, when the next one is enqueued.
    ///   - check: Called before a resource is reused. If it fails or its value is false, that resource is closed and
    ///     another one is used.
    ///   - close: Called with each resource that is not needed any more: as the parameters above say, when its check or
    ///     its cleanup failed, and when the pool is closed or released. Its errors are ignored.
    /// - Precondition: `maxCount` is at least 1, and `maxWaitingCount` is not negative.
    public init(
        label: String? = nil, maxCount: Int, minIdleCount: Int = 0, callTimeout: Duration = .seconds(30),
        idleTimeout: Duration? = nil, maxAge: Duration? = nil, maxUseCount: Int = .max,
        maxWaitingCount: Int = .max, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line,
        create: @escaping @Sendable () throws -> Future<Resource>,
        check: (@Sendable (Resource) throws -> Future<Bool>)? = nil,
        close: @escaping @Sendable (Resource) throws -> Future<Void> = { _ in Future() }
    ) {
        LineLimits.check(maxCount, "A pool's maxCount", file: file, line: line)
        pool = Pool(
            PoolLimits(
                maxCount: maxCount, minIdleCount: minIdleCount, idleTimeout: idleTimeout, maxAge: maxAge,
                maxUseCount: maxUseCount),
            before: Line(
                LineLimits(maxCount, maxWaitingCount, file: file, line: line),
                named: LineName("ResourcePool", label, file, line)),
            callTimeout: callTimeout, on: scheduler, isChecked: check != nil
        ) { TypedResource(create: create, check: check, close: close) }
        core = QueueCore(nil, pool.line, pool: pool)
    }

    deinit {
        close()
        pool.line.resume()
    }

    /// The number of resources that are ready for reuse.
    public var idleCount: Int { pool.idleCount }

    /// The maximum number of resources. A resource counts until its `close` has completed.
    ///
    /// If it becomes greater, resources are created for operations that wait. If it becomes smaller, resources that are
    /// too many are closed: those that are in use when they are given back.
    ///
    /// - Precondition: A new value is at least 1.
    public var maxCount: Int {
        get { pool.maxCount }
        set {
            LineLimits.check(newValue, "The maxCount of \(pool.line.name)")
            pool.maxCount = newValue
        }
    }

    /// Has resources closed instead of being used again: those that are in use, or promised to an operation that has
    /// its turn, when they are given back.
    ///
    ///     pool.enqueue { connection in
    ///         connection.query("…").onError { _ in pool.discard { $0 === connection } }     // it is broken
    ///     }
    ///     pool.discard { _ in true }                                                        // the server has changed
    ///
    /// - Parameter isUnwanted: Returns whether a resource is not used again. Called with each one that is there.
    public func discard(where isUnwanted: (Resource) throws -> Bool) rethrows {
        try pool.discard { try isUnwanted($0.value(as: Resource.self)) }
    }

    /// Rejects operations from now on. Operations that wait or run continue.
    ///
    /// A pool stays closed, and keeps the error of the first call. Its resources are closed even if the returned future
    /// is cancelled.
    ///
    /// - Parameter error: The error that operations fail with that are enqueued from now on.
    /// - Returns: A future that succeeds when all operations have completed and all resources are closed.
    @discardableResult
    public func close(with error: any Error = QueueError.closed) -> Future<Void> {
        pool.line.close(with: error)
        return pool.drained()
    }
}

extension ResourcePool {
    /// Returns a future of a permit, which has a resource until it is released: see
    /// ``TurnGiver/acquire(_:with:file:line:)``.
    ///
    ///     let permit = try await pool.acquire().value
    ///     defer { permit.release() }
    ///     try await pool[permit].ask("…")
    public func acquire(
        with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Permit> {
        turns.acquire(options, .init(file, line: line))
    }

    /// The resource of a permit of this pool.
    ///
    /// - Precondition: The permit comes from this pool, and was not released.
    public subscript(permit: Permit, file: StaticString = #fileID, line: UInt = #line) -> Resource {
        guard permit.line === pool.line, let resource = permit.resource else {
            fatalError("The permit of a pool was released, or comes from another pool.", file: file, line: line)
        }
        return resource.value(as: Resource.self)
    }
}

extension ResourcePool {
    /// Creates an empty pool whose resources are created, checked and closed by asynchronous closures.
    ///
    ///     let pool = ResourcePool(maxCount: 10) {
    ///         try await Connection(to: server)
    ///     } close: { connection in
    ///         await connection.close()
    ///     }
    ///
    /// Each closure runs in a task, which is cancelled where the future of a closure of
    /// ``init(label:maxCount:minIdleCount:callTimeout:idleTimeout:maxAge:maxUseCount:maxWaitingCount:on:file:line:create:check:close:)``
    /// is. That has the parameters. A resource that `create` returns after a cancel is closed.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public convenience init(
        label: String? = nil, maxCount: Int, minIdleCount: Int = 0, callTimeout: Duration = .seconds(30),
        idleTimeout: Duration? = nil, maxAge: Duration? = nil, maxUseCount: Int = .max,
        maxWaitingCount: Int = .max, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line,
        create: @escaping @Sendable () async throws -> Resource,
        check: (@Sendable (Resource) async throws -> Bool)? = nil,
        close: @escaping @Sendable (Resource) async throws -> Void = { _ in }
    ) {
        self.init(
            label: label, maxCount: maxCount, minIdleCount: minIdleCount, callTimeout: callTimeout,
            idleTimeout: idleTimeout, maxAge: maxAge, maxUseCount: maxUseCount, maxWaitingCount: maxWaitingCount,
            on: scheduler, file: file, line: line,
            create: { Self.created(by: create, orClosedBy: close) },
            check: check.map { check in { @Sendable resource in Future(task: { try await check(resource) }) } },
            close: { resource in Future(task: { try await close(resource) }) })
    }

    /// Returns a future of what `create` returns in a task. If the future is cancelled before that, the task closes the
    /// resource as its last step.
    @usableFromInline
    static func created(
        by create: @escaping @Sendable () async throws -> Resource,
        orClosedBy close: @escaping @Sendable (Resource) async throws -> Void
    ) -> Future<Resource> {
        let node = Node.operation(on: .inPlace) { node in
            let work = Future<Void>(task: {
                let result: Result<Resource, any Error>
                do { result = .success(try await create()) } catch { result = .failure(error) }
                if !node.settleFromOutside(result), case .success(let resource) = result { try? await close(resource) }
            })
            // Also called by the task itself, before the future has its result.
            return Disposer { if node.hasSettled { work.cancel() } }
        }
        node.start()
        return Future(node: node)
    }
}
