// Traversal: futures of a sequence's elements, with a concurrency limit.

/// One iteration over a sequence that starts a future for each element, in order, with a limited number in progress.
///
/// Up to `maxConcurrent` workers do it: each takes an element, waits for its future, and takes the next one. A worker
/// is a recursion of futures, so it uses no stack and no memory per element, and it inherits how futures are cancelled,
/// fail and are repeated.
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

    /// Starts the workers; called on the scheduler. The returned future fails with the first error.
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

/// Values that are stored in any order and read in the order of their numbers.
final class Ordered<T: Sendable>: Sendable {
    private struct State {
        var values: [T] = []
        /// The values that cannot be appended yet, because values with lower numbers are missing.
        var ahead: [Int: T] = [:]
    }

    private let state = Locked(State())

    /// All values in order, once none is missing.
    var values: [T] { state.withLock { $0.values } }

    func store(_ number: Int, _ value: T) {
        state.withLock { state in
            guard number == state.values.count else { return state.ahead[number] = value }
            state.values.append(value)
            while let next = state.ahead.removeValue(forKey: state.values.count) { state.values.append(next) }
        }
    }
}
