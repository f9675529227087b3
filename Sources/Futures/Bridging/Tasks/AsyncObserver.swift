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
        ObservedStage(stage: self, observer: observer, isObserved: false).run(on: scheduler)
    }
}

/// A stage that is followed by the same stage once the observer has returned.
@usableFromInline
struct ObservedStage<Base: Progression>: Progression {
    @usableFromInline let stage: Base
    @usableFromInline let observer: @Sendable (Base) async throws -> Bool
    /// Whether the observer has returned for this stage.
    @usableFromInline let isObserved: Bool

    @inlinable
    init(stage: Base, observer: @escaping @Sendable (Base) async throws -> Bool, isObserved: Bool) {
        self.stage = stage
        self.observer = observer
        self.isObserved = isObserved
    }

    @usableFromInline var result: Base.Result? { isObserved ? stage.result : nil }

    @usableFromInline
    func next() -> Deferred<ObservedStage> {
        guard !isObserved else {
            return stage.next().map { [observer] in ObservedStage(stage: $0, observer: observer, isObserved: false) }
        }
        return Deferred { [stage, observer] in
            guard try await observer(stage) else { throw CancellationError() }
            return ObservedStage(stage: stage, observer: observer, isObserved: true)
        }
    }
}
