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

        mutating func takeWaiting() -> [Promise<Void>] {
            defer { waiting = [] }
            return waiting
        }
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

    /// Starts the workers in the job of `node`, which continues as the returned future: that fails with the first
    /// error.
    ///
    /// A worker is started only for an element that is pending, so as long as all are complete, there is none.
    func run(
        maxConcurrentCount: Int, cancelNonCompleted: Bool, in node: Node, after completeCount: Int = 0
    ) -> Future<Void> {
        // The first one, which ends with all others. Another one that kept this could not be linked to what it returns.
        if completeCount == 0 { node.keepFromNowOn(self) }
        guard maxConcurrentCount > 1 else { return work(after: completeCount) }
        var completeCount = completeCount
        var workers: [Future<Void>] = []
        var turn: Future<Void>?
        starting: while workers.count < maxConcurrentCount {
            switch startNext(after: &completeCount) {
            case .over(let error):
                if let error { workers.append(Future(error: error)) }
                break starting
            // Another worker has the iterator, or other work comes first: the others are started after that. One future
            // waits for it, because `next()` may take its time, and `maxConcurrentCount` may be without a limit.
            case .later(let later):
                turn = later
                break starting
            case .pending(let index, let future):
                workers.append(follow(index, future))
                completeCount += 1
                // A future that is pending only because its callbacks run behind this job is as fast as a complete one.
                if workers.count < maxConcurrentCount, let pause = scheduler.yield(after: completeCount, with: ()) {
                    turn = pause
                    break starting
                }
            }
        }
        if let turn {
            let (rest, after) = (maxConcurrentCount - workers.count, max(completeCount, 1))
            workers.append(
                turn.stepOfNode(on: scheduler, .values, servedNext: true) { node in
                    .future(
                        self.run(
                            maxConcurrentCount: rest, cancelNonCompleted: cancelNonCompleted, in: node, after: after))
                })
        }
        guard workers.count > 1 else { return workers.first ?? Future() }
        return join(workers, cancelNonCompleted: cancelNonCompleted).asVoid()
    }

    private enum Start {
        case pending(Int, Future<T>)
        /// Start the next element when this future has succeeded.
        case later(Future<Void>)
        /// There is no other element, or one has failed.
        case over(error: (any Error)?)
    }

    /// Starts elements, up to one that is pending. Counts those that were complete.
    private func startNext(after count: inout Int) -> Start {
        while true {
            let (iterator, later) = state.withLock { state -> (Elements.Iterator?, Future<Void>?) in
                if state.isOver { return (nil, nil) }
                if let iterator = state.iterator.take() { return (iterator, nil) }
                state.waiting.append(Promise())
                return (nil, state.waiting.last!.future)
            }
            if let later { return .later(later) }
            guard let iterator, let (index, element) = next(of: iterator) else { return .over(error: nil) }
            do {
                let own = try transform(element)
                let future = containsFuture ? own.waitingForContained : own
                guard let result = future.result, future.node.resolved.unfinished == nil else {
                    return .pending(index, future)
                }
                let value = try result.get()
                values.withLock { $0.store(index, value) }
            } catch {
                dispose()
                return .over(error: error)
            }
            count += 1
            if let pause = scheduler.yield(after: count, with: ()) { return .later(pause) }
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

    /// The work of one worker that has had `count` elements: starts the next one, and then the others, one after the
    /// other.
    private func work(after count: Int) -> Future<Void> {
        var count = count
        switch startNext(after: &count) {
        case .over(nil): return Future()
        case .over(let error?): return Future(error: error)
        case .later(let turn): return goOn(behind: turn, after: count)
        case .pending(let index, let future): return follow(index, future, after: count)
        }
    }

    private func goOn(behind turn: Future<Void>, after count: Int) -> Future<Void> {
        turn.stepOfNode(on: scheduler, .values, servedNext: true) { _ in .future(self.work(after: count)) }
    }

    /// Waits for the future of an element, and then starts the next ones, one after the other.
    private func follow(_ index: Int, _ future: Future<T>, after count: Int = 0) -> Future<Void> {
        future.step(on: scheduler, .values) { [scheduler] result in
            switch result {
            case .success(let value):
                self.values.withLock { $0.store(index, value) }
                guard let pause = scheduler.yield(after: count + 1, with: ()) else {
                    return .future(self.work(after: count + 1))
                }
                return .future(self.goOn(behind: pause, after: count + 1))
            case .failure(let error):
                self.dispose()
                return .error(error)
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
