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
    private let start = Locked(TraversalStart())
    let values = Ordered<T>()

    init(
        _ elements: Elements, on scheduler: Scheduler,
        _ transform: @escaping @Sendable (Elements.Element) throws -> Future<T>
    ) {
        self.elements = Pulled(elements, on: scheduler)
        self.scheduler = scheduler
        self.transform = transform
    }

    /// Starts the workers in the job of `node`, which goes on as the returned future: that fails with the first error.
    func run(maxConcurrent: Int, cancelNonCompleted: Bool, in node: Node) -> Future<Void> {
        guard maxConcurrent > 1 else { return work() }
        start.withLock { $0.begin(node, cancels: cancelNonCompleted) }
        var count = 0
        while count < maxConcurrent, !elements.isOver {
            let worker = work()
            start.withLock { $0.workers.append(worker) }
            count += 1
        }
        let (workers, error) = start.withLock { $0.end() }
        if let error {
            // Those that began while it failed.
            if cancelNonCompleted { workers.forEach { $0.cancel() } }
            return Future(error: error)
        }
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
                    self.fail(error)
                    return .error(error)
                }
            }
        }
    }

    private func stop(_ error: any Error) -> Future<Void> {
        fail(error)
        return Future(error: error)
    }

    /// Starts no more elements. While the first ones are being started, nothing listens to the workers yet: so a closure that
    /// blocks there does not keep the error of another element.
    private func fail(_ error: any Error) {
        elements.stop()
        guard let (node, workers) = start.withLock({ $0.fail(error) }) else { return }
        ThreadState.here.serve(ending: { Node.jobs(aborting: [node], with: error, cancelling: workers.map(\.node)) })
    }
}

/// The start of a traversal, in which several elements begin one after the other: what fails if one of them does.
struct TraversalStart {
    /// What has begun.
    var workers: [Future<Void>] = []
    /// The step that starts them, until it has done so.
    private var node: Node?
    private var cancels = false
    private var error: (any Error)?

    mutating func begin(_ node: Node, cancels: Bool) {
        self.node = node
        self.cancels = cancels
    }

    /// Notes the first error while they are being started. Returns what is to be ended: the step, and the workers to cancel.
    mutating func fail(_ error: any Error) -> (Node, [Future<Void>])? {
        guard let node = node.take() else { return nil }
        self.error = error
        return (node, cancels ? workers : [])
    }

    /// All have been started. Returns them, and the error if there was one.
    mutating func end() -> ([Future<Void>], (any Error)?) {
        defer { self = TraversalStart() }
        return (workers, error)
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
