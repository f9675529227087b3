// Traversal: futures of a sequence's elements, so many at a time.

/// One run over a sequence: a future for each element, so many at a time, begun in the order of the elements.
///
/// A few workers do it: each takes an element, waits for its future, and takes the next one. Each is a recursion of
/// futures, so that it takes neither stack nor memory however many elements there are; and what there is to know about
/// cancelling, failing and repeating they know already.
final class Traversal<Elements: Sequence & Sendable, T: Sendable>: Sendable where Elements.Element: Sendable {
    private let elements: Pulled<Elements>
    private let scheduler: Scheduler
    private let transform: @Sendable (Elements.Element) throws -> Future<T>
    let values = Ordered<T>()

    init(
        _ elements: Elements, on scheduler: Scheduler,
        _ transform: @escaping @Sendable (Elements.Element) throws -> Future<T>
    ) {
        self.elements = Pulled(elements, on: scheduler)
        self.scheduler = scheduler
        self.transform = transform
    }

    /// Begins, on the scheduler; fails with the first error.
    func run(maxConcurrent: Int, cancelNonCompleted: Bool) -> Future<Void> {
        var workers: [Future<Void>] = []
        while workers.count < maxConcurrent, !elements.isOver { workers.append(work()) }
        guard workers.count > 1 else { return workers.first ?? Future() }
        return join(workers, cancelNonCompleted: cancelNonCompleted).map(on: .inPlace) { _ in }
    }

    private func work() -> Future<Void> {
        switch elements.next() {
        case .over: return Future()
        case .later(let turn): return turn.step(on: scheduler, .values) { _ in .future(self.work()) }
        case .element(let index, let element):
            let future: Future<T>
            do { future = try transform(element) } catch { return stop(error) }
            if case .failure(let error) = future.result { return stop(error) }
            return future.step(on: scheduler, .values) { result in
                switch result {
                case .success(let value):
                    self.values.store(index, value)
                    return .future(self.work())
                case .failure(let error):
                    self.elements.stop()
                    return .error(error)
                }
            }
        }
    }

    private func stop(_ error: any Error) -> Future<Void> {
        elements.stop()
        return Future(error: error)
    }
}

/// Values that come in any order, in the order of their numbers.
final class Ordered<T: Sendable>: Sendable {
    private struct State {
        var values: [T] = []
        /// Those before which others are missing.
        var ahead: [Int: T] = [:]
    }

    private let state = Locked(State())

    /// All values, once none is missing.
    var values: [T] { state.withLock { $0.values } }

    func store(_ number: Int, _ value: T) {
        state.withLock { state in
            guard number == state.values.count else { return state.ahead[number] = value }
            state.values.append(value)
            while let next = state.ahead.removeValue(forKey: state.values.count) { state.values.append(next) }
        }
    }
}
