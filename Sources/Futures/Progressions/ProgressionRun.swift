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
    /// work is not starved. On ``Scheduler/immediate``, which has no queue, all callbacks in progress return first.
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
        Future<Self>(on: scheduler, immediate: { self }).advance(on: scheduler, observer, after: 0, servedNext: false)
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
}

extension Future where Value: Progression {
    /// Returns a future of the run's result, which continues from the stage that this future succeeds with, the last of
    /// `count` stages without a pause.
    // The recursion takes no stack and no memory, like that of every `flatMap`.
    @inlinable
    func advance(
        on scheduler: Scheduler, _ observer: (@Sendable (Value) throws -> Bool)?, after count: Int,
        servedNext: Bool = true
    ) -> Future<Value.Result> {
        stepOfNode(on: scheduler, .values, servedNext: servedNext) { node in
            guard node.arrived.isSuccess else { return .error(node.arrived.error) }
            let stage = node.arrived.value(as: Value.self)
            // The first two tests spare most calls. After a pause, the count is 0.
            if count > 0, count.isMultiple(of: 64), let pause = scheduler.yield(after: count, with: stage) {
                return .future(pause.advance(on: scheduler, observer, after: 0))
            }
            if let observer, try !observer(stage) { throw CancellationError() }
            if let result = stage.result { return .value(result) }
            // The observer and `next()` are user code, and may have cancelled the run.
            if node.hasSettled { throw CancellationError() }
            let description = stage.next()
            if node.hasSettled { throw CancellationError() }
            return .future(description.start(on: scheduler).advance(on: scheduler, observer, after: count + 1))
        }
    }
}
