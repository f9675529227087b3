// compose, map, flatMap: progressions made of other progressions.

extension Progression {
    /// Returns a deferred of the next stage of an outer progression, one of whose stages contains this stage.
    ///
    ///     extension Sending {
    ///         func nextOfOpening(_ stage: Opening, _ url: URL) -> Deferred<Sending> {
    ///             stage.compose(
    ///                 transformNext: { .opening(stage: $0, url: url) },
    ///                 transformResult: { file in Deferred { .sending(try request(file, url)) } })
    ///         }
    ///     }
    ///
    /// While this stage has no result, its next stage is run, and wrapped by `transformNext`. Once it has one,
    /// `transformResult` is called instead.
    ///
    /// - Parameters:
    ///   - transformNext: Wraps this progression's next stage in a stage of the outer one. An error that it throws
    ///     fails the outer progression.
    ///   - transformResult: Describes, for the result of this progression, how to get to the outer one's next stage. An
    ///     error that it throws fails the outer progression.
    public func compose<Other>(
        transformNext: @escaping @Sendable (Self) throws -> Other,
        transformResult: @escaping @Sendable (Result) throws -> Deferred<Other>
    ) -> Deferred<Other> {
        guard let result else { return next().map(transformNext) }
        return Deferred<Result>(result).flatMap(transformResult)
    }

    /// Returns a deferred of the next stage of an outer progression, one of whose stages contains this stage.
    ///
    /// While this stage has no result, its next stage is run, and wrapped by `transformNext`. Once it has one,
    /// `transformResult` is called instead.
    ///
    /// - Parameters:
    ///   - transformNext: Wraps this progression's next stage in a stage of the outer one. An error that it throws
    ///     fails the outer progression.
    ///   - transformResult: Returns the outer progression's next stage for the result of this one. An error that it
    ///     throws fails the outer progression.
    public func compose<Other>(
        transformNext: @escaping @Sendable (Self) throws -> Other,
        transformResult: @escaping @Sendable (Result) throws -> Other
    ) -> Deferred<Other> {
        guard let result else { return next().map(transformNext) }
        return Deferred<Result>(result).map(transformResult)
    }

    /// Returns a progression that runs this one and transforms its result.
    ///
    /// - Parameter transform: Returns the new result. An error that it throws fails the progression.
    public func map<T: Sendable>(
        _ transform: @escaping @Sendable (Result) throws -> T
    ) -> MappedProgression<Self, T> {
        MappedProgression(.running(self), transform)
    }

    /// Returns a progression that runs this one, and then the progression that `transform` returns for the result.
    ///
    /// - Parameter transform: Returns the first stage of the second progression. An error that it throws fails the
    ///   progression.
    public func flatMap<Other: Progression>(
        _ transform: @escaping @Sendable (Result) throws -> Other
    ) -> FlatMappedProgression<Self, Other> {
        FlatMappedProgression(.first(self), transform)
    }
}

/// A progression with the transformed result of another one: ``Progression/map(_:)``.
public struct MappedProgression<Base: Progression, Result: Sendable>: Progression {
    /// A stage of a mapped progression.
    public enum Stage: Sendable {
        /// The original progression is at this stage. Next is `running` or `completed`.
        case running(Base)
        /// The result was transformed. There is no next stage.
        case completed(Result)
    }

    /// The current stage.
    public let stage: Stage
    private let transform: @Sendable (Base.Result) throws -> Result

    init(_ stage: Stage, _ transform: @escaping @Sendable (Base.Result) throws -> Result) {
        self.stage = stage
        self.transform = transform
    }

    /// Returns a deferred of the next stage.
    ///
    /// - Precondition: This is not the completed stage.
    public func next() -> Deferred<MappedProgression> {
        guard case .running(let base) = stage else { completedStage(self) }
        let transform = transform
        return base.compose(
            transformNext: { MappedProgression(.running($0), transform) },
            transformResult: { result -> MappedProgression in
                MappedProgression(.completed(try transform(result)), transform)
            })
    }

    /// The transformed result; nil, if this is not the completed stage.
    public var result: Result? {
        guard case .completed(let result) = stage else { return nil }
        return result
    }
}

/// A progression that continues with a second one: ``Progression/flatMap(_:)``.
public struct FlatMappedProgression<First: Progression, Second: Progression>: Progression {
    /// The result of the second progression.
    public typealias Result = Second.Result

    /// A stage of either progression.
    public enum Stage: Sendable {
        /// The first progression is at this stage. Next is `first` or `second`.
        case first(First)
        /// The second progression is at this stage. Next is `second`, unless that has its result.
        case second(Second)
    }

    /// The current stage.
    public let stage: Stage
    private let transform: @Sendable (First.Result) throws -> Second

    init(_ stage: Stage, _ transform: @escaping @Sendable (First.Result) throws -> Second) {
        self.stage = stage
        self.transform = transform
    }

    /// Returns a deferred of the next stage.
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

    /// The result of the second progression; nil, while there is none.
    public var result: Second.Result? {
        guard case .second(let second) = stage else { return nil }
        return second.result
    }
}
