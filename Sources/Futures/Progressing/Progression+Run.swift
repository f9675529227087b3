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
    @inlinable
    public func run(on scheduler: Scheduler = .utility, observer: Observer? = nil) -> Future<Result> {
        let stage = self
        return Future<Void>(on: scheduler) {}.stepOfNode(on: scheduler, .results) { node in
            guard node.arrived.isSuccess else { return .error(node.arrived.error) }
            return try ProgressionRun(scheduler: scheduler, observer: observer).go(on: stage, after: 0, as: node)
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
@usableFromInline
struct ProgressionRun<Stage: Progression>: Sendable {
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let observer: Stage.Observer?
    /// Asked once: a cast of each stage took a tenth of its time.
    @usableFromInline let isStepping = Stage.self is any SteppingProgression.Type

    @inlinable
    init(scheduler: Scheduler, observer: Stage.Observer?) {
        self.scheduler = scheduler
        self.observer = observer
    }

    /// After how many stages without a pause other work on the scheduler has its turn.
    @inlinable static var patience: Int { 64 }

    /// From `stage`, which follows so many without a pause, to the result. To be called on the scheduler, by the job of
    /// `node`, which settles meanwhile if the run is cancelled.
    ///
    /// The recursion is space-safe as every flatMap's is.
    @inlinable
    func go(on stage: Stage, after count: Int, as node: Node) throws -> Next<Stage.Result> {
        guard count <= Self.patience else { return .future(goOn(with: pause(stage), after: 0)) }
        var stage = stage
        if let end = try advance(&stage, as: node) { return .value(end) }
        try check(node)
        guard !isStepping else { return .future(goOn(with: pause(stage), after: 0)) }
        let description = stage.next()
        // What describes the next stage may have cancelled the run.
        try check(node)
        return .future(goOn(with: description.start(on: scheduler), after: count + 1))
    }

    /// What the run comes to from `stage` on.
    @inlinable
    func goOn(with stage: Future<Stage>, after count: Int) -> Future<Stage.Result> {
        stage.nextStepOfNode(on: scheduler, .values) { node in
            guard node.arrived.isSuccess else { return .error(node.arrived.error) }
            return try go(on: node.arrived.value(as: Stage.self), after: count, as: node)
        }
    }

    /// Asks about `stage`, and takes as many steps in place as one turn has; the result, if it comes to that.
    @inlinable
    func advance(_ stage: inout Stage, as node: Node) throws -> Stage.Result? {
        try ask(stage)
        if let result = stage.result { return result }
        guard isStepping, var stepping = stage as? any SteppingProgression else { return nil }
        let result = try step(&stepping, as: node)
        // Not nil: it was this type, whose steps are its own.
        if let reached = stepping as? Stage { stage = reached }
        return result
    }

    @inlinable
    func step<Stepping: SteppingProgression>(_ stepping: inout Stepping, as node: Node) throws -> Stage.Result? {
        for number in 1...(Self.patience * 16) {
            // A turn that is over leaves its last stage to the next one's question.
            if number > 1 { try askAbout(stepping) }
            if let result = stepping.result { return result as? Stage.Result }
            try check(node)
            try stepping.step()
        }
        return nil
    }

    /// Goes no further, if the run was cancelled.
    @inlinable
    func check(_ node: Node) throws {
        if node.isSettled { throw CancellationError() }
    }

    @inlinable
    func askAbout(_ stage: some SteppingProgression) throws {
        guard observer != nil, let stage = stage as? Stage else { return }
        try ask(stage)
    }

    @inlinable
    func ask(_ stage: Stage) throws {
        if let observer, try !observer(stage) { throw CancellationError() }
    }

    /// The stage, once other work on the scheduler has had its turn; on `.immediate` there is none.
    ///
    /// Other work gets it after the job in progress: that waits for what follows by then, and a cancel finds it.
    @usableFromInline
    func pause(_ stage: Stage) -> Future<Stage> {
        guard scheduler != .immediate else { return Future(result: .success(stage)) }
        let (promise, scheduler) = (Promise<Stage>(), scheduler)
        ThreadState.here.serveNext(JobList(ClosureJob(.urgent) { scheduler.async { promise.succeed(stage) } }))
        return promise.future
    }
}
