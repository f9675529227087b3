// run, execute: a progression from a stage to its result.

extension Progression {
    /// What is asked about each stage, the first and the last among them, before the run goes on from it.
    ///
    /// If it returns false, the run fails with `CancellationError`; if it throws, with that error.
    public typealias Observer = @Sendable (Self) throws -> Bool

    /// Runs from this stage to the result, each stage on `scheduler` as far as its Deferred does not say otherwise.
    ///
    ///     upload.run { stage in
    ///         try store(stage)
    ///         return true
    ///     }
    ///
    /// `observer` is asked before each stage. Cancelling the future cancels the stage that runs, and no other begins.
    /// A repetition runs from this stage again. After every so many stages without a pause, other work of the scheduler
    /// has its turn.
    public func run(on scheduler: Scheduler = .utility, observer: Observer? = nil) -> Future<Result> {
        let stage = self
        return Future<Void>(on: scheduler) {}.flatMap(on: scheduler) {
            try ProgressionRun(scheduler: scheduler, observer: observer).go(on: stage, after: 0)
        }
    }

    /// Runs, and calls `handler` on `scheduler` with a function that returns the result or throws the error.
    ///
    /// The future has what `handler` returns or throws. If it is cancelled, so is the run, and `handler` is not called.
    @discardableResult
    public func execute<T: Sendable>(
        on scheduler: Scheduler = .utility,
        _ handler: @escaping @Sendable (_ useResult: @Sendable () throws -> Result) throws -> T
    ) -> Future<T> {
        run(on: scheduler).mapResult(on: scheduler) { result in
            try handler { try result.get() }
        }
    }

    /// Describes a run from this stage to the result.
    public var deferred: Deferred<Result> {
        Deferred { self.run(on: $0) }
    }
}

/// How a progression runs.
private struct ProgressionRun<Stage: Progression>: Sendable {
    let scheduler: Scheduler
    let observer: Stage.Observer?

    /// After how many stages without a pause other work on the scheduler has its turn.
    private static var patience: Int { 64 }

    /// From `stage`, which follows so many without a pause, to the result. To be called on the scheduler.
    ///
    /// The recursion is space-safe as every flatMap's is (rule 20).
    func go(on stage: Stage, after count: Int) throws -> Future<Stage.Result> {
        var stage = stage
        if let end = try advance(&stage) { return Future(result: .success(end)) }
        guard !(stage is any SteppingProgression) else {
            let reached = stage
            return pause().flatMap(on: scheduler) { try go(on: reached, after: 0) }
        }
        let next = stage.next().start(on: scheduler)
        guard count >= Self.patience else {
            return next.flatMap(on: scheduler) { try go(on: $0, after: count + 1) }
        }
        return next.flatMap(on: .immediate) { stage in
            pause().flatMap(on: scheduler) { try go(on: stage, after: 0) }
        }
    }

    /// Asks about `stage`, and takes as many steps in place as one turn has; the result, if it comes to that.
    private func advance(_ stage: inout Stage) throws -> Stage.Result? {
        try ask(stage)
        if let result = stage.result { return result }
        guard var stepping = stage as? any SteppingProgression else { return nil }
        let result = try step(&stepping)
        // Not nil: it was this type, whose steps are its own.
        if let reached = stepping as? Stage { stage = reached }
        return result
    }

    private func step<Stepping: SteppingProgression>(_ stepping: inout Stepping) throws -> Stage.Result? {
        for number in 1...(Self.patience * 16) {
            // A turn that is over leaves its last stage to the next one's question.
            if number > 1 { try askAbout(stepping) }
            if let result = stepping.result { return result as? Stage.Result }
            try stepping.step()
        }
        return nil
    }

    private func askAbout(_ stage: some SteppingProgression) throws {
        guard observer != nil, let stage = stage as? Stage else { return }
        try ask(stage)
    }

    private func ask(_ stage: Stage) throws {
        if let observer, try !observer(stage) { throw CancellationError() }
    }

    /// Lets other work on the scheduler have its turn; on `.immediate` there is none.
    private func pause() -> Future<Void> {
        guard scheduler != .immediate else { return Future() }
        let promise = Promise<Void>()
        scheduler.async { promise.succeed() }
        return promise.future
    }
}
