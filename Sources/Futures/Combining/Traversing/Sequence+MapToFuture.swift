// mapToFuture: one future for all elements of a sequence.

extension Sequence where Self: Sendable, Element: Sendable {
    /// A future of the values of the futures that `transform` returns for the elements, in the order of the elements.
    ///
    ///     urls.mapToFuture(maxConcurrent: 4) { url in page(at: url) }     // Future<[Page]>
    ///
    /// One after the other, or at most `maxConcurrent` at a time: the next element is asked for, and `transform`
    /// called, when a future has completed, so that the sequence may be lazy, and long. The first failure, or throw of
    /// `transform`, fails it at once: no more are begun, and those in progress are cancelled, as far as nobody else
    /// listens to them, unless `cancelNonCompleted` is false.
    ///
    /// A repetition goes through the sequence again. (One that can be gone through only once has no elements then.)
    ///
    /// - Precondition: `maxConcurrent` is at least 1.
    public func mapToFuture<T: Sendable>(
        maxConcurrent: Int = 1, cancelNonCompleted: Bool = true, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Element) throws -> Future<T>
    ) -> Future<[T]> {
        let (scheduler, transform) = place(transform)
        return mapToFuture(
            on: scheduler, maxConcurrent: maxConcurrent, cancelNonCompleted: cancelNonCompleted, file: file, line: line,
            transform)
    }

    /// The same, with `transform` called on `scheduler`, where the elements are asked for too.
    public func mapToFuture<T: Sendable>(
        on scheduler: Scheduler, maxConcurrent: Int = 1, cancelNonCompleted: Bool = true,
        file: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @Sendable (Element) throws -> Future<T>
    ) -> Future<[T]> {
        guard maxConcurrent >= 1 else {
            fatalError("maxConcurrent must be at least 1, or nothing could ever begin.", file: file, line: line)
        }
        return Future<Void>().step(on: scheduler, .values) { _ in
            let traversal = Traversal(self, on: scheduler, transform)
            let end = traversal.run(maxConcurrent: maxConcurrent, cancelNonCompleted: cancelNonCompleted)
            // The traversal goes with this step, behind the result: it has the iterator.
            return .future(end.step(on: .inPlace, .values) { end in .result(end.map { traversal.values.values }) })
        }
    }

    /// A future of the results of the futures that `transform` returns for the elements, in the order of the elements.
    ///
    /// It does not fail: a failure, or a throw of `transform`, is that element's result. Otherwise as `mapToFuture`.
    ///
    /// - Precondition: `maxConcurrent` is at least 1.
    public func mapToFutureResults<T: Sendable>(
        maxConcurrent: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Element) throws -> Future<T>
    ) -> Future<[Result<T, any Error>]> {
        let (scheduler, transform) = place(transform)
        return mapToFutureResults(
            on: scheduler, maxConcurrent: maxConcurrent, file: file, line: line, transform)
    }

    /// The same, with `transform` called on `scheduler`, where the elements are asked for too.
    public func mapToFutureResults<T: Sendable>(
        on scheduler: Scheduler, maxConcurrent: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @Sendable (Element) throws -> Future<T>
    ) -> Future<[Result<T, any Error>]> {
        mapToFuture(on: scheduler, maxConcurrent: maxConcurrent, file: file, line: line) { element in
            Future.catching { try transform(element) }.step(on: .inPlace, .results) { .value($0) }
        }
    }
}

extension Future {
    /// What `make` returns; a failed future, if it throws.
    static func catching(_ make: () throws -> Future) -> Future {
        do { return try make() } catch { return Future(error: error) }
    }
}
