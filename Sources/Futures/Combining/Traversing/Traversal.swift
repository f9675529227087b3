// Traversal: futures of a sequence's elements, with a concurrency limit.

/// One iteration over a sequence that starts a future for each element, in order, with a limited number in progress.
///
/// Up to `maxConcurrent` workers do it: each takes an element, waits for its future, and takes the next one. A worker
/// is a recursion of futures, so it uses no stack and no memory per element, and it inherits how futures are cancelled,
/// fail and are repeated.
final class Traversal<Elements: Sequence & Sendable, T: Sendable>: Disposable
where Elements.Element: Sendable {
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

    /// Starts the workers in the job of `node`, which goes on as the returned future: that fails with the first error.
    func run(maxConcurrent: Int, cancelNonCompleted: Bool, in node: Node) -> Future<Void> {
        guard maxConcurrent > 1 else { return work() }
        elements.withStart { $0.begin(node, cancels: cancelNonCompleted) }
        // A cancel, or an error of one, while others are being started.
        node.keepFromNowOn(self)
        var count = 0
        while count < maxConcurrent, !elements.isOver {
            let worker = work()
            elements.withStart { $0.workers.append(worker) }
            count += 1
        }
        let (workers, isStopped, cancels) = elements.withStart { $0.end() }
        node.keepFromNowOn(nil)
        if isStopped {
            // Those that began meanwhile; the node has its result.
            if cancels { workers.forEach { $0.cancel() } }
            return Future(error: CancellationError())
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

    /// Starts no more elements. While the first ones are being started, nothing listens to the workers yet: so a
    /// closure that blocks there does not keep the error of another element.
    private func fail(_ error: any Error) {
        elements.stop()
        elements.withStart { $0.fail() }?.giveUp(error)
    }

    /// The node has ended while the first elements are being started: starts no more, and cancels those that have
    /// begun.
    func dispose() {
        guard let workers = elements.withStart({ $0.stop() }) else { return }
        elements.stop()
        let nodes = workers.map(\.node)
        ThreadState.here.serve(ending: { Node.jobs(aborting: [], with: CancellationError(), cancelling: nodes) })
    }
}

/// The start of a traversal, in which several elements begin one after the other: what ends if it is cancelled or
/// fails.
struct TraversalStart {
    /// What has begun.
    var workers: [Future<Void>] = []
    /// The step that starts them, until it has done so.
    private var node: Node?
    /// Whether what has begun is cancelled.
    private var cancels = true
    private var cancelsFailing = true
    private var isStarting = false
    private var isStopped = false

    mutating func begin(_ node: Node, cancels: Bool) {
        self.node = node
        isStarting = true
        cancelsFailing = cancels
    }

    /// Returns the step, which has to fail with the first error while they are being started; nil later.
    mutating func fail() -> Node? {
        if node != nil, !isStopped { cancels = cancelsFailing }
        return node.take()
    }

    /// Returns what is to be cancelled, as the step has ended; nil if all have been started.
    mutating func stop() -> [Future<Void>]? {
        guard isStarting else { return nil }
        isStopped = true
        return cancels ? workers : []
    }

    /// All have been started. Returns them, and whether the step has ended meanwhile, and they are to be cancelled.
    mutating func end() -> ([Future<Void>], isStopped: Bool, cancels: Bool) {
        let (workers, isStopped, cancels) = (workers, isStopped, cancels)
        self = TraversalStart()
        return (workers, isStopped, cancels)
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
