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
    /// An element is requested from the sequence only when its future may start, so the sequence may be endless.
    /// No results are kept. Cancelling the returned future cancels the futures in progress, unless they have other
    /// listeners. A repetition iterates over the sequence again; a sequence that supports only one iteration has no
    /// elements then. After each 64 elements that are complete immediately, other work of the scheduler comes first, so
    /// the returned future is pending then.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of futures in progress at a time.
    ///   - file: The file named by the trap if `maxConcurrentCount` is less than 1.
    ///   - line: The line named by the trap if `maxConcurrentCount` is less than 1.
    ///   - transform: Runs on the closure's actor, or else on the current scheduler, as does the sequence's iterator.
    ///     An error that it throws is its element's result.
    ///   - onResult: Runs on the closure's actor, or else on the current scheduler. If it throws, no more futures are
    ///     started, those in progress are cancelled unless they have other listeners, and the returned future fails
    ///     with that error.
    /// - Returns: A future that succeeds once `onResult` was called for all elements.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @discardableResult
    public func forEachToFuture<T: Sendable>(
        maxConcurrentCount: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Element) throws -> Future<T>,
        @_inheritActorContext
        onResult: @escaping @Sendable @isolated(any) ((Element, Result<T, any Error>)) throws -> Void
    ) -> Future<Void> {
        let (scheduler, transform) = isolated(transform)
        let (resultScheduler, onResult) = isolated(onResult)
        return forEachToFuture(maxConcurrentCount, file, line, (scheduler, transform), (resultScheduler, onResult))
    }

    /// The same with the closure and the iterator on `scheduler`.
    @discardableResult
    @usableFromInline
    package func forEachToFuture<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @Sendable (Element) throws -> Future<T>,
        onResult: @escaping @Sendable ((Element, Result<T, any Error>)) throws -> Void
    ) -> Future<Void> {
        forEachToFuture(maxConcurrentCount, file, line, (scheduler, transform), (scheduler, onResult))
    }

    private func forEachToFuture<T: Sendable>(
        _ maxConcurrentCount: Int, _ file: StaticString, _ line: UInt,
        _ transform: (on: Scheduler, body: @Sendable (Element) throws -> Future<T>),
        _ onResult: (on: Scheduler, body: @Sendable ((Element, Result<T, any Error>)) throws -> Void)
    ) -> Future<Void> {
        mapToFuture(on: transform.on, maxConcurrentCount: maxConcurrentCount, file: file, line: line) { element in
            Future.catching { try transform.body(element) }.step(on: onResult.on, .results) { result in
                .value(try onResult.body((element, result)))
            }
        }.map(on: .inPlace) { _ in }
    }
}
