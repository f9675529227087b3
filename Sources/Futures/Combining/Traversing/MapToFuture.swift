// mapToFuture: one future for all elements of a sequence.

extension Sequence where Self: Sendable, Element: Sendable {
    /// Returns a future of the values of the futures that `transform` returns for the elements, in the elements' order.
    ///
    ///     urls.mapToFuture(maxConcurrentCount: 4) { url in page(at: url) }     // Future<[Page]>
    ///
    /// An element is requested from the sequence only when its future may start, so the sequence may be endless.
    /// The first failure fails the returned future immediately, and no more futures are started. Cancelling the
    /// returned future cancels the futures in progress, unless they have other listeners. While the first futures are
    /// being started, a failure takes effect when `transform` has returned, and a cancel reaches the others then. A
    /// repetition iterates over the sequence again; a sequence that supports only one iteration has no elements then.
    /// After 64 elements that are complete immediately, other work of the scheduler comes first.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of futures in progress at a time.
    ///   - cancelNonCompleted: Whether the first failure also cancels the futures in progress, unless they have other
    ///     listeners.
    ///   - transform: Runs on the closure's actor, or else on the current scheduler, as does the sequence's iterator.
    ///     An error that it throws counts as a failure of its future.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    public func mapToFuture<T: Sendable>(
        maxConcurrentCount: Int = 1, cancelNonCompleted: Bool = true, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Element) throws -> Future<T>
    ) -> Future<[T]> {
        mapToFuture(
            on: .inferred(from: transform.isolation), maxConcurrentCount: maxConcurrentCount,
            cancelNonCompleted: cancelNonCompleted, file: file, line: line, Following(.isolated(transform)).call)
    }

    /// The same with the closure and the iterator on `scheduler`.
    @usableFromInline
    package func mapToFuture<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, cancelNonCompleted: Bool = true,
        file: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @Sendable (Element) throws -> Future<T>
    ) -> Future<[T]> {
        guard maxConcurrentCount >= 1 else {
            fatalError(
                "maxConcurrentCount must be at least 1; otherwise no future could start.", file: file, line: line)
        }
        return Future<Void>().stepOfNode(on: scheduler, .values) { node in
            let traversal = Traversal(self, on: scheduler, transform)
            node.keepFromNowOn(Kept(traversal))
            let end = traversal.run(maxConcurrentCount: maxConcurrentCount, cancelNonCompleted: cancelNonCompleted)
            // The traversal goes with this step, behind the result: it has the iterator.
            return .future(
                end.step(on: .inPlace, .values) { end in
                    .result(end.map { traversal.values.withLock { $0.values } })
                })
        }
    }
}
