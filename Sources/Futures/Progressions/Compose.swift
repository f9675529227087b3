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

    /// Composes like the form whose `transformResult` returns a deferred, with one that returns the next stage itself.
    public func compose<Other>(
        transformNext: @escaping @Sendable (Self) throws -> Other,
        transformResult: @escaping @Sendable (Result) throws -> Other
    ) -> Deferred<Other> {
        guard let result else { return next().map(transformNext) }
        return Deferred<Result>(result).map(transformResult)
    }

    /// Returns a progression that runs this one and transforms its result in a stage of its own. An error that
    /// `transform` throws fails the progression.
    public func map<T: Sendable>(_ transform: @escaping @Sendable (Result) throws -> T) -> some Progression<T> {
        flatMap { Completed(result: try transform($0)) }
    }

    /// Returns a progression that runs this one, and then the progression whose first stage `transform` returns for the
    /// result. An error that `transform` throws fails the progression.
    public func flatMap<Other: Progression>(
        _ transform: @escaping @Sendable (Result) throws -> Other
    ) -> some Progression<Other.Result> {
        Continued.first(self, transform)
    }
}

/// The last stage of a mapped progression.
private struct Completed<Result: Sendable>: Progression {
    let result: Result?
    func next() -> Deferred<Completed> { completedStage(self) }
}

/// A stage of the first progression, or of the second one, which starts with the result of the first.
private enum Continued<First: Progression, Second: Progression>: Progression {
    /// Next is `first` or `second`.
    case first(First, @Sendable (First.Result) throws -> Second)
    /// Next is `second`, unless that has its result.
    case second(Second)

    func next() -> Deferred<Continued> {
        switch self {
        case .first(let first, let transform):
            first.compose(
                transformNext: { .first($0, transform) },
                transformResult: { result -> Continued in .second(try transform(result)) })
        case .second(let second): second.next().map { .second($0) }
        }
    }

    var result: Second.Result? {
        guard case .second(let second) = self else { return nil }
        return second.result
    }
}
