// reduceToFuture: combining many values into one, in order.

internal import Synchronization

extension Sequence where Self: Sendable, Element: Sendable {
    /// Returns a future of the elements, combined one by one by an asynchronous operation, starting with `initial`.
    ///
    ///     pages.reduceToFuture(cursor) { cursor, page in load(page, after: cursor) }
    ///
    /// The next element is requested from the sequence when the previous future has succeeded. The first failure fails
    /// the returned future. Cancelling the returned future cancels the future in progress, unless that has other
    /// listeners. A repetition iterates over the sequence again. After 64 elements, other work of the scheduler comes
    /// first.
    ///
    /// - Parameters:
    ///   - initial: The value to start with, and the result if the sequence is empty.
    ///   - transform: Called for each element, with the value of the previous future and the element. Runs on the
    ///     closure's actor, or else on the current scheduler, as does the sequence's iterator. If it throws, the
    ///     returned future fails with that error.
    public func reduceToFuture<T: Sendable>(
        _ initial: T,
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) ((T, Element)) throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, transform) = isolated(transform)
        return reduceToFuture(on: scheduler, initial, transform)
    }

    /// The same with the closure and the iterator on `scheduler`.
    @usableFromInline
    package func reduceToFuture<T: Sendable>(
        on scheduler: Scheduler, _ initial: T,
        _ transform: @escaping @Sendable ((T, Element)) throws -> Future<T>
    ) -> Future<T> {
        Future<Void>().stepOfNode(on: scheduler, .values) { node in
            let reduction = Reduction(self, on: scheduler, transform)
            node.keepFromNowOn(reduction)
            return .future(try reduction.next(initial))
        }
    }
}

/// One iteration over a sequence, in which each step receives the result of the previous one.
private final class Reduction<Elements: Sequence & Sendable, T: Sendable>: Disposable where Elements.Element: Sendable {
    private let scheduler: Scheduler
    private let transform: @Sendable ((T, Elements.Element)) throws -> Future<T>
    /// Taken out while its `next()` runs, so that no lock is held then. Steps do not overlap.
    private let iterator: Locked<Elements.Iterator?>
    private let isOver = Atomic<Bool>(false)

    init(
        _ elements: Elements, on scheduler: Scheduler,
        _ transform: @escaping @Sendable ((T, Elements.Element)) throws -> Future<T>
    ) {
        self.scheduler = scheduler
        self.transform = transform
        iterator = Locked(elements.makeIterator())
    }

    /// Requests no more elements: called when the step that reduces them has ended.
    func dispose() { isOver.store(true, ordering: .relaxed) }

    /// Combines `value`, the result of `count` elements, with the next one; then with the others.
    func next(_ value: T, after count: Int = 0) throws -> Future<T> {
        var (value, count) = (value, count)
        while true {
            guard !isOver.load(ordering: .relaxed) else { throw CancellationError() }
            var iterator = iterator.withLock { $0.take() }
            let element = iterator?.next()
            // In the end, too: it goes with this object, behind the result, as its deinit may block.
            self.iterator.withLock { $0 = iterator }
            guard let element else { return Future(value) }
            // The iterator is user code: it may have cancelled the traversal, or blocked meanwhile.
            guard !isOver.load(ordering: .relaxed) else { throw CancellationError() }
            let future = try transform((value, element)).completingWithContained
            count += 1
            guard let result = future.result else {
                return future.step(on: scheduler, .values) { [count] result in
                    .future(try self.goOn(with: try result.get(), after: count))
                }
            }
            value = try result.get()
            if let pause = scheduler.yield(after: count, with: value) { return goOn(behind: pause, after: count) }
        }
    }

    private func goOn(with value: T, after count: Int) throws -> Future<T> {
        guard let pause = scheduler.yield(after: count, with: value) else { return try next(value, after: count) }
        return goOn(behind: pause, after: count)
    }

    private func goOn(behind pause: Future<T>, after count: Int) -> Future<T> {
        pause.nextStepOfNode(on: scheduler, .values) { node in
            .future(try self.next(node.arrived.value(as: T.self), after: count))
        }
    }
}
