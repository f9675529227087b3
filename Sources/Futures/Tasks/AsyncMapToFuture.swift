// mapToFuture, forEachToFuture: one future for all elements of an asynchronous sequence.

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Returns a future of the values of the futures that `transform` returns for the elements, in the elements' order.
    ///
    ///     lines.mapToFuture(maxConcurrentCount: 4) { line in index(line) }     // Future<[Entry]>
    ///
    /// It is like `mapToFuture` of a sequence, but the elements are requested in a task, which a failure, an error of
    /// the sequence or a cancel cancels, too.
    public func mapToFuture<T: Sendable>(
        maxConcurrentCount: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Element) throws -> Future<T>
    ) -> Future<[T]> {
        let scheduler = Scheduler.inferred(from: transform.isolation)
        let transform = Following(.isolated(transform)).call
        return Future<Void>().flatMap(on: .inPlace) {
            let values = Locked(Ordered<T>())
            return traverse(on: scheduler, maxConcurrentCount, file, line) { index, element in
                try transform(element).map(on: .inPlace) { value in values.withLock { $0.store(index, value) } }
            }
            .map(on: .inPlace) { values.withLock { $0.values } }
        }
    }

    /// Calls `onResult` with each element and the result of its future, as `forEachToFuture` of a sequence does.
    ///
    ///     requests.forEachToFuture(maxConcurrentCount: 100) { request in
    ///         reply(to: request)
    ///     } onResult: { request, result in
    ///         log(request, result)
    ///     }
    ///
    /// It reads the elements as `mapToFuture` does. No results are kept, so the sequence may be endless.
    @discardableResult
    public func forEachToFuture<T: Sendable>(
        maxConcurrentCount: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Element) throws -> Future<T>,
        @_inheritActorContext
        onResult: @escaping @Sendable @isolated(any) ((Element, Result<T, any Error>)) throws -> Void
    ) -> Future<Void> {
        let scheduler = Scheduler.inferred(from: transform.isolation)
        let transform = Following(.isolated(transform)).call
        let resultScheduler = Scheduler.inferred(from: onResult.isolation)
        let onResult = Callback(.isolated(onResult)).call
        return traverse(on: scheduler, maxConcurrentCount, file, line) { _, element in
            Future<Void>().flatMap(on: scheduler) { try transform(element) }
                .mapResult(on: resultScheduler) { try onResult((element, $0)) }
        }
    }

    /// Reads the sequence in a task, and calls `body` with each element and its number when a future may start. The
    /// first error of these futures fails the returned one, whose end cancels them.
    private func traverse(
        on scheduler: Scheduler, _ maxConcurrentCount: Int, _ file: StaticString, _ line: UInt,
        _ body: @escaping @Sendable (Int, Element) throws -> Future<Void>
    ) -> Future<Void> {
        let limits = LineLimits(maxConcurrentCount, 0, file: file, line: line)
        return Future<Void>().stepOfNode(on: .inPlace, .values) { step in
            let queue = FutureQueue((), limits, named: LineName("traversal", nil, file, line))
            step.keepFromNowOn {
                queue.close()
                queue.cancelAll()
            }
            let end = Future<Void> {
                var number = 0
                for try await element in self {
                    // A sequence may ignore the cancel.
                    try Task.checkCancellation()
                    let index = number
                    let listener = queue.on(scheduler).enqueue(file: file, line: line) { try body(index, element) }
                        .onError(on: .inPlace) { step.end(with: $0) }
                    // The traversal has the error.
                    listener.node.noteObserved()
                    number += 1
                    try await queue.capacityAvailable().value
                }
                try await queue.drained().value
            }
            return .future(end)
        }
    }
}
