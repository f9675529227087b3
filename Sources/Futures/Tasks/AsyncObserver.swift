// run with an asynchronous observer: a progression whose stages are stored one by one.

extension Progression {
    /// Runs this progression from this stage to its result, and waits for an asynchronous closure at each stage.
    ///
    ///     Upload.open(file).run { stage in
    ///         try await journal.store(stage)
    ///         return true
    ///     }
    ///
    /// A stage runs only when `observer` has returned for the stage before. Each call of `observer` is a task of the
    /// concurrent pool; cancelling the future cancels that task. Otherwise, the run is like one with a synchronous
    /// observer.
    @_disfavoredOverload
    public func run(
        on scheduler: Scheduler = .utility, observer: @escaping @Sendable (Self) async throws -> Bool
    ) -> Future<Result> {
        Future(task: { try await observer(self) })
            .map(on: scheduler) { goesOn -> (Result?, Deferred<Self>?) in
                guard goesOn else { throw CancellationError() }
                if let result { return (result, nil) }
                return (nil, next())
            }
            // A step of its own: a cancel while `next()` runs starts no other stage.
            .flatMap(on: .inPlace) { result, next in
                guard let next else { return Future<Result>(result!) }
                return next.start(on: scheduler).flatMap(on: .inPlace) { $0.run(on: scheduler, observer: observer) }
            }
    }
}
