// SerialPuller: a sequence's elements, handed out one at a time to concurrent callers.

/// A sequence's elements, each requested from its iterator only when a caller asks for one, by one caller at a time.
///
/// `next()` of the iterator is user code, so no lock is held while it runs: the caller takes the iterator out of the
/// state, and other callers get a future that succeeds when it is back.
final class SerialPuller<Elements: Sequence & Sendable>: Sendable where Elements.Element: Sendable {
    enum Turn {
        case element(Int, Elements.Element)
        /// Another caller has the iterator: call `next()` again when this future succeeds.
        case later(Future<Void>)
        case over
    }

    private struct State {
        /// Nil while a caller has it. Once the sequence has ended, it is released with this object: its `deinit` may
        /// block, and the result comes first.
        var iterator: Elements.Iterator?
        var isOver = false
        var count = 0
        var waiting: [Promise<Void>] = []
        /// The workers of the traversal, while the first ones are being started.
        var start = TraversalStart()
    }

    private let state: Locked<State>
    private let scheduler: Scheduler

    /// - Parameter scheduler: Where the callers that had to wait are notified.
    init(_ elements: Elements, on scheduler: Scheduler) {
        state = Locked(State(iterator: elements.makeIterator()))
        self.scheduler = scheduler
    }

    /// Whether no more elements are handed out.
    var isOver: Bool { state.withLock { $0.isOver } }

    func withStart<T>(_ body: (inout TraversalStart) -> T) -> T { state.withLock { body(&$0.start) } }

    /// Ends the sequence: no more elements are handed out.
    func stop() {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.waiting.take()
        }
        for promise in waiting { tell(promise) }
    }

    func next() -> Turn {
        let turn = state.withLock { state -> (iterator: Elements.Iterator?, turn: Turn) in
            if state.isOver { return (nil, .over) }
            if let iterator = state.iterator.take() { return (iterator, .over) }
            let promise = Promise<Void>()
            state.waiting.append(promise)
            return (nil, .later(promise.future))
        }
        guard var iterator = turn.iterator else { return turn.turn }
        let element = iterator.next()
        let (number, waiting) = state.withLock { state -> (Int?, [Promise<Void>]) in
            state.iterator = iterator
            if element == nil { state.isOver = true }
            // Perhaps it was stopped meanwhile.
            if state.isOver { return (nil, state.waiting.take()) }
            state.count += 1
            return (state.count - 1, state.waiting.isEmpty ? [] : [state.waiting.removeLast()])
        }
        for promise in waiting { tell(promise) }
        guard let number, let element else { return .over }
        return .element(number, element)
    }

    /// Notifies a waiting caller after the caller of `next()` has started the element's future, unless another thread
    /// runs the scheduler's jobs.
    private func tell(_ promise: Promise<Void>) {
        let job = ClosureJob { promise.succeed() }
        if scheduler == .immediate {
            ThreadState.here.serveNext(JobList(job))
        } else {
            scheduler.enqueue(job)
        }
    }
}

extension Array {
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
