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
    @_alwaysEmitIntoClient
    public func run(
        on scheduler: Scheduler = .utility, observer: @escaping @Sendable (Self) async throws -> Bool
    ) -> Future<Result> {
        ObservedStage.arriving(self, observer).run(on: scheduler)
    }
}

/// A stage that is followed by the same stage once the observer has returned.
@usableFromInline
enum ObservedStage<Base: Progression>: Progression {
    @usableFromInline typealias Observer = @Sendable (Base) async throws -> Bool

    /// The observer is called next.
    case arriving(Base, Observer)
    /// The observer has returned for this stage.
    case observed(Base, Observer)

    @usableFromInline
    func next() -> Deferred<ObservedStage> {
        switch self {
        case .arriving(let stage, let observer):
            Deferred {
                guard try await observer(stage) else { throw CancellationError() }
                return .observed(stage, observer)
            }
        case .observed(let stage, let observer): stage.next().map { .arriving($0, observer) }
        }
    }

    @usableFromInline var result: Base.Result? {
        guard case .observed(let stage, _) = self else { return nil }
        return stage.result
    }
}
