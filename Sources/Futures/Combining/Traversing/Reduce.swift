// reduce, reduceToFuture: one value of many, by combining them one after the other.

/// A future of the values of all `futures`, combined one after the other in their order, beginning with `initial`.
///
///     reduce(prices, 0) { sum, price in sum + price }     // Future<Int>
///
/// As in a `join`, the first failure fails it at once and cancels the others, as far as nobody else listens to them.
/// `combine` is called when all values are there; a throw is a failure. Of no futures, it is `initial`.
@inlinable
public func reduce<Value: Sendable, T: Sendable>(
    _ futures: some Collection<Future<Value>>, _ initial: T,
    @_inheritActorContext
    _ combine: @escaping @Sendable @isolated(any) ((T, Value)) throws -> T
) -> Future<T> {
    let (scheduler, combine) = place(combine)
    return reduce(on: scheduler, futures, initial, combine)
}

/// The same, with `combine` called on `scheduler`.
@inlinable
public func reduce<Value: Sendable, T: Sendable>(
    on scheduler: Scheduler, _ futures: some Collection<Future<Value>>, _ initial: T,
    _ combine: @escaping @Sendable ((T, Value)) throws -> T
) -> Future<T> {
    join(futures).map(on: scheduler) { values in
        try values.reduce(initial) { try combine(($0, $1)) }
    }
}

extension Sequence where Self: Sendable, Element: Sendable {
    /// A future of the elements, combined one after the other by futures, beginning with `initial`.
    ///
    ///     pages.reduceToFuture(cursor) { cursor, page in load(page, after: cursor) }
    ///
    /// `transform` is called with what the future before has come to, and the next element, which is asked for only
    /// then. The first failure, or throw, ends it. Of no elements, it is `initial`.
    public func reduceToFuture<T: Sendable>(
        _ initial: T,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) ((T, Element)) throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return reduceToFuture(on: scheduler, initial, transform)
    }

    /// The same, with `transform` called on `scheduler`, where the elements are asked for too.
    public func reduceToFuture<T: Sendable>(
        on scheduler: Scheduler, _ initial: T,
        _ transform: @escaping @Sendable ((T, Element)) throws -> Future<T>
    ) -> Future<T> {
        Future<Void>().step(on: scheduler, .values) { _ in
            .future(try Reduction(self, on: scheduler, transform).next(initial))
        }
    }
}

/// One run over a sequence, in which each step has the result of the one before.
private final class Reduction<Elements: Sequence & Sendable, T: Sendable>: Sendable where Elements.Element: Sendable {
    private let scheduler: Scheduler
    private let transform: @Sendable ((T, Elements.Element)) throws -> Future<T>
    /// Taken out while it is asked for the next element: no lock is held then. Steps do not overlap.
    private let iterator: Locked<Elements.Iterator?>

    init(
        _ elements: Elements, on scheduler: Scheduler,
        _ transform: @escaping @Sendable ((T, Elements.Element)) throws -> Future<T>
    ) {
        self.scheduler = scheduler
        self.transform = transform
        iterator = Locked(elements.makeIterator())
    }

    func next(_ value: T) throws -> Future<T> {
        var iterator = iterator.withLock { $0.take() }
        let element = iterator?.next()
        // In the end, too: it goes with this object, behind the result, as its deinit may block.
        self.iterator.withLock { $0 = iterator }
        guard let element else { return Future(value) }
        return try transform((value, element)).step(on: scheduler, .values) { result in
            switch result {
            case .success(let value): .future(try self.next(value))
            case .failure(let error): .error(error)
            }
        }
    }
}
