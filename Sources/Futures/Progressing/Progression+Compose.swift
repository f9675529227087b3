// compose, map, flatMap: progressions in progressions.

extension Progression {
    /// Describes the next stage of another progression that has this stage inside one of its own.
    ///
    ///     case .openFile(let stage, let url):
    ///         stage.compose(
    ///             transformNext: { .openFile(stage: $0, url: url) },
    ///             transformResult: { file in Deferred { .upload(try request(file, url)) } })
    ///
    /// `transformNext` puts the next stage of this one in the other's case; `transformResult` says, once there is a
    /// result, how to go on. A throw is a failure.
    public func compose<Other>(
        transformNext: @escaping @Sendable (Self) throws -> Other,
        transformResult: @escaping @Sendable (Result) throws -> Deferred<Other>
    ) -> Deferred<Other> {
        guard let result else { return next().map(transformNext) }
        return Deferred<Result>(result).flatMap(transformResult)
    }

    /// The same, with a stage to go on with.
    public func compose<Other>(
        transformNext: @escaping @Sendable (Self) throws -> Other,
        transformResult: @escaping @Sendable (Result) throws -> Other
    ) -> Deferred<Other> {
        guard let result else { return next().map(transformNext) }
        return Deferred<Result>(result).map(transformResult)
    }

    /// A progression with a result that `transform` makes of this one's; a throw is a failure.
    public func map<T: Sendable>(
        _ transform: @escaping @Sendable (Result) throws -> T
    ) -> MappedProgression<Self, T> {
        MappedProgression(.running(self), transform)
    }

    /// A progression that goes on as the one that `transform` returns for the result of this one; a throw is a failure.
    public func flatMap<Other: Progression>(
        _ transform: @escaping @Sendable (Result) throws -> Other
    ) -> FlatMappedProgression<Self, Other> {
        FlatMappedProgression(.first(self), transform)
    }
}

/// A progression whose result is made of that of another.
public struct MappedProgression<Base: Progression, Result: Sendable>: Progression {
    /// Where it is.
    public enum Stage: Sendable {
        /// In the other progression. Next is `running` or `completed`.
        case running(Base)
        /// There is a result.
        case completed(Result)
    }

    /// Where it is.
    public let stage: Stage
    private let transform: @Sendable (Base.Result) throws -> Result

    init(_ stage: Stage, _ transform: @escaping @Sendable (Base.Result) throws -> Result) {
        self.stage = stage
        self.transform = transform
    }

    /// Describes the next stage.
    public func next() -> Deferred<MappedProgression> {
        guard case .running(let base) = stage else { completedStage(self) }
        let transform = transform
        return base.compose(
            transformNext: { MappedProgression(.running($0), transform) },
            transformResult: { result -> MappedProgression in
                MappedProgression(.completed(try transform(result)), transform)
            })
    }

    /// The result, if this is the completed stage.
    public var result: Result? {
        guard case .completed(let result) = stage else { return nil }
        return result
    }
}

/// A progression that goes on as another one.
public struct FlatMappedProgression<First: Progression, Second: Progression>: Progression {
    /// What the second one comes to.
    public typealias Result = Second.Result

    /// Where it is.
    public enum Stage: Sendable {
        /// In the first progression. Next is `first` or `second`.
        case first(First)
        /// In the second one. Next is `second`.
        case second(Second)
    }

    /// Where it is.
    public let stage: Stage
    private let transform: @Sendable (First.Result) throws -> Second

    init(_ stage: Stage, _ transform: @escaping @Sendable (First.Result) throws -> Second) {
        self.stage = stage
        self.transform = transform
    }

    /// Describes the next stage.
    public func next() -> Deferred<FlatMappedProgression> {
        let transform = transform
        switch stage {
        case .first(let first):
            return first.compose(
                transformNext: { FlatMappedProgression(.first($0), transform) },
                transformResult: { result -> FlatMappedProgression in
                    FlatMappedProgression(.second(try transform(result)), transform)
                })
        case .second(let second):
            return second.next().map { FlatMappedProgression(.second($0), transform) }
        }
    }

    /// The result, if the second progression has one.
    public var result: Second.Result? {
        guard case .second(let second) = stage else { return nil }
        return second.result
    }
}
