// Pulled: the elements of a sequence, one at a time, to whoever asks next.

/// The elements of a sequence, handed out one at a time, only when they are asked for, and to one who asks at a time.
///
/// `next()` of the iterator is the user's code, so no lock is held meanwhile: whoever pulls has the iterator, and others
/// who come then wait for their turn.
final class Pulled<Elements: Sequence & Sendable>: Sendable where Elements.Element: Sendable {
    enum Turn {
        case element(Int, Elements.Element)
        /// Somebody is pulling: ask again when this succeeds.
        case later(Future<Void>)
        case over
    }

    private struct State {
        /// Nil while somebody pulls. In the end it goes with this object, behind the result: its deinit may block.
        var iterator: Elements.Iterator?
        var isOver = false
        var count = 0
        var waiting: [Promise<Void>] = []
    }

    private let state: Locked<State>
    private let scheduler: Scheduler

    /// - Parameter scheduler: where those who had to wait are told.
    init(_ elements: Elements, on scheduler: Scheduler) {
        state = Locked(State(iterator: elements.makeIterator()))
        self.scheduler = scheduler
    }

    /// Whether nothing more is handed out.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Hands out nothing more.
    func stop() { state.withLock { $0.isOver = true } }

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
        let (number, waiting) = state.withLock { state -> (Int, [Promise<Void>]) in
            state.iterator = iterator
            if element == nil { state.isOver = true }
            if state.isOver { return (state.count, state.waiting.take()) }
            state.count += 1
            return (state.count - 1, state.waiting.isEmpty ? [] : [state.waiting.removeLast()])
        }
        for promise in waiting { tell(promise) }
        guard let element else { return .over }
        return .element(number, element)
    }

    /// Tells one who waits, but not before the element at hand is begun, unless on another thread.
    private func tell(_ promise: Promise<Void>) {
        let job = ClosureJob { promise.succeed() }
        if scheduler == .immediate {
            ThreadState.here.serveNext(JobList(job))
        } else {
            scheduler.backend.enqueue(job, for: scheduler)
        }
    }
}

extension Array {
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
