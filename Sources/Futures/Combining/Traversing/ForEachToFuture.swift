// forEachToFuture: futures of a sequence's elements, with each result reported as it becomes available.

extension Sequence where Self: Sendable, Element: Sendable {
    /// Calls `onResult` with each element and the result of the future that `transform` returns for it, as they
    /// complete.
    ///
    ///     urls.forEachToFuture(maxConcurrentCount: 4) { url in
    ///         page(at: url)
    ///     } onResult: { url, result in
    ///         print(url, result)
    ///     }
    ///
    /// No results are kept. An error that `transform` throws is its element's result. Otherwise, it is like
    /// `mapToFuture`.
    ///
    /// - Parameter onResult: Runs on the closure's actor, or else on the current scheduler. If it throws, no more
    ///   futures are started, those in progress are cancelled unless they have other listeners, and the returned future
    ///   fails with that error.
    /// - Returns: A future that succeeds once `onResult` was called for all elements.
    @discardableResult
    public func forEachToFuture<T: Sendable>(
        maxConcurrentCount: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Element) throws -> Future<T>,
        @_inheritActorContext
        onResult: @escaping @Sendable @isolated(any) ((Element, Result<T, any Error>)) throws -> Void
    ) -> Future<Void> {
        forEachToFuture(
            on: .inferred(from: transform.isolation), resultsOn: .inferred(from: onResult.isolation),
            maxConcurrentCount: maxConcurrentCount, file: file, line: line, Following(.isolated(transform)).call,
            onResult: Callback(.isolated(onResult)).call)
    }

    /// The same with the closures on schedulers.
    @discardableResult
    package func forEachToFuture<T: Sendable>(
        on scheduler: Scheduler, resultsOn resultScheduler: Scheduler? = nil, maxConcurrentCount: Int = 1,
        file: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @Sendable (Element) throws -> Future<T>,
        onResult: @escaping @Sendable ((Element, Result<T, any Error>)) throws -> Void
    ) -> Future<Void> {
        mapToFuture(on: scheduler, maxConcurrentCount: maxConcurrentCount, file: file, line: line) { element in
            Future.catching { try transform(element).completingWithContained }
                .step(on: resultScheduler ?? scheduler, .results) { .value(try onResult((element, $0))) }
        }.asVoid()
    }
}

extension Future {
    /// Returns the future that `make` returns, or one of the error that it throws.
    static func catching(_ make: () throws -> Future) -> Future {
        do { return try make() } catch { return Future(error: error) }
    }
}
