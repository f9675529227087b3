// runEach: an asynchronous closure for all elements of a sequence, with a concurrency limit.

extension Sequence where Self: Sendable, Element: Sendable {
    /// Returns a future of what an asynchronous closure returns for the elements, in the elements' order.
    ///
    ///     urls.runEach(maxConcurrentCount: 4) { url in try await page(at: url) }     // Future<[Page]>
    ///
    /// Use `mapToFuture` for a closure that returns a future; otherwise, this is like it.
    ///
    /// - Parameter operation: Runs in a task for each element, on the closure's actor, or else on the concurrent pool.
    @_alwaysEmitIntoClient
    public func runEach<T: Sendable>(
        maxConcurrentCount: Int = 1, cancelNonCompleted: Bool = true, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Element) async throws -> T
    ) -> Future<[T]> {
        mapToFuture(
            on: .current, maxConcurrentCount: maxConcurrentCount, cancelNonCompleted: cancelNonCompleted, file: file,
            line: line
        ) { element in Future<T>(task: { try await operation(element) }) }
    }
}
