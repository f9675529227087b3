// run: operations that are over when their closure has returned.

extension FutureQueue {
    /// Calls `body` with the resource when its turn has come: an operation that is over when it returns.
    ///
    /// The future has the value that it returns, or fails with what it throws; with ``QueueError/waitedTooLong(_:)``, if
    /// it has not been called after `waitingAtMost`.
    @inlinable @discardableResult
    public func run<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ body: @escaping @Sendable @isolated(any) (Resource) throws -> T
    ) -> Future<T> {
        let isIsolated = body.isolation != nil
        let (inferred, body) = place(body)
        let terms = Terms(priority, waitingAtMost, nil, .init(file, line: line))
        return station.run(on: station.scheduler(inferred: inferred, isIsolated: isIsolated), terms, body)
    }

    /// The same, with `body` called on `scheduler`.
    @inlinable @discardableResult
    public func run<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Resource) throws -> T
    ) -> Future<T> {
        station.run(on: scheduler, Terms(priority, waitingAtMost, nil, .init(file, line: line)), body)
    }
}

extension FutureQueue<Void> {
    /// Calls `body` when its turn has come: an operation that is over when it returns.
    @inlinable @discardableResult
    public func run<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ body: @escaping @Sendable @isolated(any) () throws -> T
    ) -> Future<T> {
        let isIsolated = body.isolation != nil
        let (inferred, body) = place(body)
        let terms = Terms(priority, waitingAtMost, nil, .init(file, line: line))
        return station.run(on: station.scheduler(inferred: inferred, isIsolated: isIsolated), terms, body)
    }

    /// The same, with `body` called on `scheduler`.
    @inlinable @discardableResult
    public func run<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable () throws -> T
    ) -> Future<T> {
        station.run(on: scheduler, Terms(priority, waitingAtMost, nil, .init(file, line: line)), body)
    }
}
