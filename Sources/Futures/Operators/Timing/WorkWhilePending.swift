// WorkWhilePending: the activity of one run of `performWhile`.

/// An activity that starts, perhaps after a delay, and that can be ended at any time, also before it has started.
final class WorkWhilePending: Disposable {
    private let source: Node
    private let scheduler: Scheduler
    private let delay: Duration
    private let work: @Sendable () throws -> any Disposable
    private let state = Locked(WorkState())

    /// Creates an activity for the time that `source` is pending.
    init(
        for source: Node, on scheduler: Scheduler, after delay: Duration,
        _ work: @escaping @Sendable () throws -> any Disposable
    ) {
        self.source = source
        self.scheduler = scheduler
        self.delay = delay
        self.work = work
    }

    /// Begins, behind the job in progress if there is one: in a repetition, where that starts the combination, a cancel
    /// by another thread would reach the source only when the work has returned.
    func begin(after thread: ThreadState) {
        guard thread.isServing else { return begin() }
        let isInPlace = delay <= .zero && scheduler.isCurrent
        // Weakly, so that what was cancelled meanwhile does not begin.
        let job = ClosureJob(isInPlace ? .callback : .urgent) { [weak self] in self?.begin() }
        thread.serveNext(JobList(job))
    }

    private func begin() {
        // Weakly, so that a chain that was cancelled is deallocated while its timer is still running.
        let start: @Sendable () -> Void = { [weak self] in self?.start() }
        if delay > .zero {
            let timer = scheduler.async(after: delay, start)
            state.withLock { $0.wait(for: timer) }?.dispose()
        } else if scheduler.isCurrent {
            start()
        } else {
            scheduler.async(start)
        }
    }

    /// Disposes what the work has returned. Returns a future of the end if another thread, or this one further out, is
    /// still calling the work, or disposing what that has returned.
    @discardableResult
    func end() -> Future<Void>? {
        guard let disposable = state.withLock({ $0.end() }) else { return state.withLock { $0.untilOver() } }
        finish(disposing: disposable)
        return nil
    }

    /// Ends work that was not called, as the future was cancelled. The turns in queues that this cancel gives up wait
    /// for the end of work that was called, which may come on another scheduler or thread.
    func dispose() {
        state.withLock { $0.leave(ThreadState.here.unfinished) }?.dispose()
    }

    private func start() {
        // The source may have completed while the call of `end` is still on its way to this scheduler.
        guard !source.hasSettled, state.withLock({ $0.start() }) else { return }
        let disposable = (try? work()) ?? NilDisposer()
        if state.withLock({ $0.run(disposable) }) { finish(disposing: disposable) }
    }

    private func finish(disposing disposable: any Disposable) {
        // What the disposable cancels is part of the cancel that has given up the turns.
        ThreadState.here.ending(state.withLock { $0.unfinished.take() }) { disposable.dispose() }
        let (unfinished, whenOver) = state.withLock { $0.finish() }
        whenOver?.succeed()
        unfinished?.release()
    }
}

/// A pure state machine that tells what has to be disposed at the end. It calls nothing.
private struct WorkState {
    private enum Phase {
        /// Next is calling or over.
        case waiting
        /// The work is being called. Next is running or ending.
        case calling
        /// Next is ending.
        case running
        /// A thread is still calling the work, or disposing what that has returned. Next has ended.
        case ending
        /// Final.
        case over
    }

    private var phase = Phase.waiting
    /// The timer, or what the work has returned.
    private var disposable: (any Disposable)?
    /// That of the cancel that has ended the future.
    var unfinished: Unfinished?
    private var whenOver: Promise<Void>?

    /// Returns whether the work may be called.
    mutating func start() -> Bool {
        guard phase == .waiting else { return false }
        (phase, disposable) = (.calling, nil)
        return true
    }

    /// Stores the timer, or returns it if the end has come already.
    mutating func wait(for timer: any Disposable) -> (any Disposable)? {
        if phase == .waiting { disposable = timer }
        return phase == .ending || phase == .over ? timer : nil
    }

    /// Stores the work's disposable. Returns true if the caller has to dispose that, as the end has come already.
    mutating func run(_ disposable: any Disposable) -> Bool {
        guard phase == .calling else { return true }
        (phase, self.disposable) = (.running, disposable)
        return false
    }

    /// Returns what the caller has to dispose, and to finish with. Returns nil if that is another thread's task, or
    /// done.
    mutating func end() -> (any Disposable)? {
        guard phase != .ending, phase != .over else { return nil }
        let isCalling = phase == .calling
        phase = .ending
        return isCalling ? nil : disposable.take() ?? NilDisposer()
    }

    /// Returns a future of the end, unless that has come.
    mutating func untilOver() -> Future<Void>? {
        guard phase == .ending else { return nil }
        let promise = whenOver ?? Promise()
        whenOver = promise
        return promise.future
    }

    /// Returns the timer of work that was not called, which has ended. Otherwise `unfinished` counts the work until its
    /// end.
    mutating func leave(_ unfinished: Unfinished?) -> (any Disposable)? {
        if phase == .waiting {
            phase = .over
            return disposable.take()
        }
        if phase != .over, self.unfinished == nil { self.unfinished = unfinished?.hold() }
        return nil
    }

    /// Ends the work, and returns what has waited for that.
    mutating func finish() -> (Unfinished?, Promise<Void>?) {
        phase = .over
        return (unfinished.take(), whenOver.take())
    }
}
