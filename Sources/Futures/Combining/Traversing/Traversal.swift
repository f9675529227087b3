// Traversal: futures of a sequence's elements, with a concurrency limit.

/// One iteration over a sequence that starts a future for each element, in order, with a limited number in progress.
///
/// Up to `maxConcurrentCount` workers do it: each takes an element, waits for its future, and takes the next one. A
/// worker is a recursion of futures, so it uses no stack and no memory per element, and it inherits how futures are
/// cancelled, fail and are repeated.
final class Traversal<Elements: Sequence & Sendable, T: Sendable>: Disposable
where Elements.Element: Sendable {
    private struct State {
        /// Nil while a worker has it: `next()` is user code, so no lock is held while it runs. Once the sequence has
        /// ended, the iterator is released with the traversal: its `deinit` may block, and the result comes first.
        var iterator: Elements.Iterator?
        /// Whether no more elements are started.
        var isOver = false
        var count = 0
        /// Other workers, which wait for the iterator.
        var waiting: [Promise<Void>] = []

        mutating func takeWaiting() -> [Promise<Void>] { exchange(&waiting, with: []) }
    }

    private let state: Locked<State>
    private let scheduler: Scheduler
    private let transform: @Sendable (Elements.Element) throws -> Future<T>
    /// Asked once, because it takes as long as an element that is complete.
    private let containsFuture = Future<T>.containsFuture
    let values = Locked(Ordered<T>())

    init(
        _ elements: Elements, on scheduler: Scheduler,
        _ transform: @escaping @Sendable (Elements.Element) throws -> Future<T>
    ) {
        state = Locked(State(iterator: elements.makeIterator()))
        self.scheduler = scheduler
        self.transform = transform
    }

    /// Starts elements, in the job of a step, until `maxConcurrentCount` of them are pending: each of these gets a
    /// worker. The returned future succeeds when all workers have ended, or fails with the first error.
    ///
    /// `count`: the number of elements since other work had its turn.
    func run(maxConcurrentCount: Int = 1, cancelNonCompleted: Bool = true, after count: Int = 0) -> Future<Void> {
        var count = count
        var workers: [Future<Void>] = []
        while workers.count < maxConcurrentCount {
            let (iterator, turn) = takeIterator(after: &count)
            if let turn {
                // The other elements are started after that. One future waits for it, because `next()` may take its
                // time, and `maxConcurrentCount` may be without a limit.
                let (rest, count) = (maxConcurrentCount - workers.count, count)
                workers.append(
                    turn.stepOfNode(on: scheduler, .values, servedNext: true) { _ in
                        .future(
                            self.run(maxConcurrentCount: rest, cancelNonCompleted: cancelNonCompleted, after: count))
                    })
                break
            }
            guard let iterator, let (index, element) = next(of: iterator) else { break }
            count += 1
            var future: Future<T>
            do { future = try transform(element) } catch { future = Future(error: error) }
            if containsFuture { future = future.waitingForContained }
            // In this order: a pending future has left nothing.
            var result = future.result
            if future.node.resolved.unfinished != nil { result = nil }
            if case .success(let value)? = result {
                values.withLock { $0.store(index, value) }
                continue
            }
            // No other element is started then.
            if case .failure? = result { dispose() }
            let worker = follow(index, future, after: count)
            // Without an array for each element.
            if maxConcurrentCount == 1 { return worker }
            workers.append(worker)
        }
        guard workers.count > 1 else { return workers.first ?? Future() }
        return join(workers, cancelNonCompleted: cancelNonCompleted).asVoid()
    }

    /// The work of one worker: waits for the future of an element, and then starts the next ones, one after the other.
    private func follow(_ index: Int, _ future: Future<T>, after count: Int) -> Future<Void> {
        future.step(on: scheduler, .values) { result in
            switch result {
            case .success(let value):
                self.values.withLock { $0.store(index, value) }
                return .future(self.run(after: count))
            case .failure(let error):
                self.dispose()
                return .error(error)
            }
        }
    }

    /// Takes the iterator, unless the traversal is over; or returns a future to wait for, if another worker has it, or
    /// other work comes first.
    private func takeIterator(after count: inout Int) -> (Elements.Iterator?, Future<Void>?) {
        // An element that is pending only because its callbacks run behind this job is as fast as a complete one.
        if count > 0, let pause = scheduler.yield(after: count, with: ()) {
            count = 0
            return (nil, pause)
        }
        return state.withLock { state in
            if state.isOver { return (nil, nil) }
            if let iterator = state.iterator.take() { return (iterator, nil) }
            let turn = Promise<Void>()
            state.waiting.append(turn)
            return (nil, turn.future)
        }
    }

    /// Takes the next element, with its number, and gives the iterator back.
    private func next(of iterator: consuming Elements.Iterator) -> (Int, Elements.Element)? {
        var iterator = iterator
        let element = iterator.next()
        let (number, waiting) = state.withLock { state -> (Int?, [Promise<Void>]) in
            state.iterator = iterator
            if element == nil { state.isOver = true }
            // Perhaps it was stopped meanwhile.
            if state.isOver { return (nil, state.takeWaiting()) }
            state.count += 1
            return (state.count - 1, state.waiting.isEmpty ? [] : [state.waiting.removeLast()])
        }
        tell(waiting)
        guard let number, let element else { return nil }
        return (number, element)
    }

    /// Notifies waiting workers after the caller of `next()` has started the element's future, unless another thread
    /// runs the scheduler's jobs.
    private func tell(_ waiting: [Promise<Void>]) {
        for promise in waiting {
            let job = ClosureJob { promise.succeed() }
            if scheduler == .immediate {
                ThreadState.here.serveNext(JobList(job))
            } else {
                scheduler.enqueue(job)
            }
        }
    }

    /// Starts no more elements: called when one has failed, and when the traversal's node ends.
    func dispose() {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.takeWaiting()
        }
        tell(waiting)
    }
}

/// Values that are stored in any order and read in the order of their numbers.
struct Ordered<T: Sendable>: Sendable {
    /// All values in order, once none is missing.
    private(set) var values: [T] = []
    /// The values that cannot be appended yet, because values with lower numbers are missing.
    private var ahead: [Int: T] = [:]

    mutating func store(_ number: Int, _ value: T) {
        guard number == values.count else { return ahead[number] = value }
        values.append(value)
        while let next = ahead.removeValue(forKey: values.count) { values.append(next) }
    }
}
