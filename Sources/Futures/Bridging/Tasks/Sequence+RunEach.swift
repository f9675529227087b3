// runEach: an asynchronous closure for all elements of a sequence, with a concurrency limit.

extension Sequence where Self: Sendable, Element: Sendable {
    /// Returns a future of what an asynchronous closure returns for the elements, in the elements' order.
    ///
    ///     urls.runEach(maxConcurrentCount: 4) { url in try await page(at: url) }     // Future<[Page]>
    ///
    /// Use `mapToFuture` for a closure that returns a future. An element is requested from the sequence only when its
    /// task may start, so the sequence may be endless. The first error fails the returned future immediately,
    /// cancels the tasks in progress, and no more are started. Cancelling the returned future cancels them too. A
    /// repetition iterates over the sequence again.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of tasks in progress at a time.
    ///   - cancelNonCompleted: Whether the first error also cancels the tasks in progress.
    ///   - file: The file named by the trap if `maxConcurrentCount` is less than 1.
    ///   - line: The line named by the trap if `maxConcurrentCount` is less than 1.
    ///   - operation: Runs in a task for each element, on the closure's actor, or else on the concurrent pool.
    /// - Precondition: `maxConcurrentCount` is at least 1.
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
