// run, execute: run a progression from a stage to its result.

extension Progression {
    /// Runs this progression from this stage to its result.
    ///
    ///     Upload.open(file).run { stage in
    ///         try store(stage)
    ///         return true
    ///     }
    ///
    /// Cancelling the future cancels the current stage, and no other one starts. A repetition runs from this stage
    /// again. After 64 stages in a row without a pause, the run goes to the end of the scheduler's queue, so that other
    /// work is not starved. On ``Scheduler/immediate``, which has no queue, all callbacks in progress return first,
    /// after 256 stages.
    ///
    /// - Parameters:
    ///   - scheduler: Where stages are described and `observer` is called. Stages run there too, unless their deferreds
    ///     say otherwise.
    ///   - observer: Called with each stage, including the first and the last, before the run continues from it. If it
    ///     returns false, the run fails with `CancellationError`; if it throws, with that error.
    /// - Returns: A future of the result, or of the error of a stage.
    @_alwaysEmitIntoClient
    public func run(
        on scheduler: Scheduler = .utility, observer: (@Sendable (Self) throws -> Bool)? = nil
    ) -> Future<Result> {
        Future<Void>(on: scheduler) {}.stepOfNode(on: scheduler, .results) { node in
            guard node.arrived.isSuccess else { return .error(node.arrived.error) }
            return try self.advance(on: scheduler, observer, after: 0, as: node)
        }
    }

    /// Runs this progression from this stage, and calls `handler` with a function that returns the result or throws the
    /// error: see ``Deferred/execute(on:_:)``.
    @discardableResult
    public func execute<T: Sendable>(
        on scheduler: Scheduler = .utility,
        _ handler: @escaping @Sendable (_ useResult: @Sendable () throws -> Result) throws -> T
    ) -> Future<T> {
        run(on: scheduler).mapResult(on: scheduler) { result in
            try handler { try result.get() }
        }
    }

    /// A deferred whose runs are runs of this progression, from this stage to its result.
    public var deferred: Deferred<Result> {
        Deferred { self.run(on: $0) }
    }
}

// The loop of a run. The recursion takes no stack and no memory, like that of every `flatMap`.

extension Progression {
    /// Runs from this stage, the last of `count` stages without a pause, to the result. Called on the scheduler in the
    /// job of `node`, which settles during the call if the run is cancelled.
    @inlinable
    func advance(
        on scheduler: Scheduler, _ observer: (@Sendable (Self) throws -> Bool)?, after count: Int, as node: Node
    ) throws -> Next<Result> {
        // The first two tests spare most calls. After a pause, the count is 0.
        if count > 0, count.isMultiple(of: 64), let pause = scheduler.yield(after: count, with: self) {
            return .future(pause.advance(on: scheduler, observer, after: 0))
        }
        if let observer, try !observer(self) { throw CancellationError() }
        if let result { return .value(result) }
        // The observer and `next()` are user code, and may have cancelled the run.
        if node.hasSettled { throw CancellationError() }
        let description = next()
        if node.hasSettled { throw CancellationError() }
        return .future(description.start(on: scheduler).advance(on: scheduler, observer, after: count + 1))
    }
}

extension Future where Value: Progression {
    /// Returns a future of the run's result, which continues from the stage that this future succeeds with.
    @inlinable
    func advance(
        on scheduler: Scheduler, _ observer: (@Sendable (Value) throws -> Bool)?, after count: Int
    ) -> Future<Value.Result> {
        stepOfNode(on: scheduler, .values, servedNext: true) { node in
            guard node.arrived.isSuccess else { return .error(node.arrived.error) }
            return try node.arrived.value(as: Value.self).advance(on: scheduler, observer, after: count, as: node)
        }
    }
}
