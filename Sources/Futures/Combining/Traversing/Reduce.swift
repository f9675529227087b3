// reduceToFuture: combining many values into one, in order.

extension Sequence where Self: Sendable, Element: Sendable {
    /// Returns a future of the elements, combined one by one by an asynchronous operation, starting with `initial`.
    ///
    ///     pages.reduceToFuture(cursor) { cursor, page in load(page, after: cursor) }
    ///
    /// The next element is requested when the previous future has succeeded. The first failure fails the returned
    /// future; if there are no elements, it succeeds with `initial`. Otherwise, it is like `mapToFuture`.
    public func reduceToFuture<T: Sendable>(
        _ initial: T,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) ((T, Element)) throws -> Future<T>
    ) -> Future<T> {
        reduceToFuture(on: .inferred(from: transform.isolation), initial, Following(.isolated(transform)).call)
    }

    /// The same with the closure and the iterator on `scheduler`.
    @usableFromInline
    package func reduceToFuture<T: Sendable>(
        on scheduler: Scheduler, _ initial: T,
        _ transform: @escaping @Sendable ((T, Element)) throws -> Future<T>
    ) -> Future<T> {
        Future<Void>().flatMap(on: .inPlace) {
            let (current, done) = (Locked(initial), Future<Void>())
            let store: @Sendable (T) -> Void = { value in
                // The old value is released without the lock.
                var value = value
                current.withLock { swap(&$0, &value) }
            }
            return mapToFuture(on: scheduler) { element in
                let next = try transform((current.withLock { $0 }, element)).completingWithContained
                guard let result = next.result, next.node.resolved.unfinished == nil else {
                    return next.map(on: .inPlace, store)
                }
                store(try result.get())
                return done
            }
            .map(on: .inPlace) { _ in current.withLock { $0 } }
        }
    }
}
