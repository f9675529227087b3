// forEachToFuture: the futures of a sequence's elements, each result as it comes.

extension Sequence where Self: Sendable, Element: Sendable {
    /// Calls `onResult` with each element and the result of the future that `transform` returns for it, as they come.
    ///
    ///     urls.forEachToFuture(maxConcurrent: 4) { url in
    ///         page(at: url)
    ///     } onResult: { url, result in
    ///         print(url, result)
    ///     }
    ///
    /// The future that is returned completes when all have come; no result is kept. A throw of `transform` is its
    /// element's result; one of `onResult` fails the whole, and cancels what is in progress. Otherwise as `mapToFuture`.
    ///
    /// - Precondition: `maxConcurrent` is at least 1.
    @discardableResult
    public func forEachToFuture<T: Sendable>(
        maxConcurrent: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Element) throws -> Future<T>,
        @_inheritActorContext
        onResult: @escaping @Sendable @isolated(any) ((Element, Result<T, any Error>)) throws -> Void
    ) -> Future<Void> {
        let (scheduler, transform) = place(transform)
        let (resultScheduler, onResult) = place(onResult)
        return forEachToFuture(maxConcurrent, file, line, (scheduler, transform), (resultScheduler, onResult))
    }

    /// The same, with both closures called on `scheduler`, where the elements are asked for too.
    @discardableResult
    public func forEachToFuture<T: Sendable>(
        on scheduler: Scheduler, maxConcurrent: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @Sendable (Element) throws -> Future<T>,
        onResult: @escaping @Sendable ((Element, Result<T, any Error>)) throws -> Void
    ) -> Future<Void> {
        forEachToFuture(maxConcurrent, file, line, (scheduler, transform), (scheduler, onResult))
    }

    private func forEachToFuture<T: Sendable>(
        _ maxConcurrent: Int, _ file: StaticString, _ line: UInt,
        _ transform: (on: Scheduler, body: @Sendable (Element) throws -> Future<T>),
        _ onResult: (on: Scheduler, body: @Sendable ((Element, Result<T, any Error>)) throws -> Void)
    ) -> Future<Void> {
        mapToFuture(on: transform.on, maxConcurrent: maxConcurrent, file: file, line: line) { element in
            Future.catching { try transform.body(element) }.step(on: onResult.on, .results) { result in
                .value(try onResult.body((element, result)))
            }
        }.map(on: .inPlace) { _ in }
    }
}
