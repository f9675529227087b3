// WorkWhilePending: the activity of one run of `performWhile`.

/// An activity that starts, perhaps after a delay, and that can be ended at any time, also before it has started.
@usableFromInline
final class WorkWhilePending: Sendable {
    @usableFromInline
    struct Plan: Sendable {
        fileprivate let scheduler: Scheduler
        fileprivate let delay: Duration
        fileprivate let work: @Sendable () throws -> any Disposable

        @usableFromInline
        init(_ scheduler: Scheduler, _ delay: Duration?, _ work: @escaping @Sendable () throws -> any Disposable) {
            self.scheduler = scheduler
            self.delay = delay ?? .zero
            self.work = work
        }
    }

    private let source: Node
    private let state = Locked(WorkState.waiting(timer: nil))

    /// Creates an activity for the time that `source` is pending.
    init(for source: Node) { self.source = source }

    deinit { end() }

    /// Begins, behind the job in progress if there is one: in a repetition, where that starts the combination, a cancel
    /// by another thread would reach the source only when the work has returned.
    func begin(_ plan: Plan, after thread: ThreadState) {
        guard thread.isServing else { return begin(plan) }
        let isInPlace = plan.delay <= .zero && plan.scheduler.isCurrent
        // Weakly, so that what was cancelled meanwhile does not begin.
        let job = ClosureJob(isInPlace ? .callback : .urgent) { [weak self] in self?.begin(plan) }
        thread.serveNext(JobList(job))
    }

    private func begin(_ plan: Plan) {
        // Weakly, so that an unreferenced chain is deallocated while its timer is still running.
        let start: @Sendable () -> Void = { [weak self] in self?.start(plan.work) }
        if plan.delay > .zero {
            let timer = plan.scheduler.async(after: plan.delay, start)
            state.withLock { $0.wait(for: timer) }?.dispose()
        } else if plan.scheduler.isCurrent {
            start()
        } else {
            plan.scheduler.async(start)
        }
    }

    /// Disposes what the work has returned. If another thread is still calling the work, the turns in queues that end
    /// with this wait for that thread.
    func end() {
        let turns = ThreadState.here.held
        state.withLock { $0.end(holding: turns) }?.dispose()
    }

    private func start(_ work: () throws -> any Disposable) {
        // The source may have completed while the call of `end` is still on its way to this scheduler.
        guard !source.hasSettled, state.withLock({ $0.start() }) else { return }
        let disposable = (try? work()) ?? NilDisposer()
        let (isOver, turns) = state.withLock { $0.run(disposable) }
        if isOver { ThreadState.here.holding(turns) { disposable.dispose() } }
    }
}

/// A pure state machine that tells what has to be disposed at the end. It calls nothing.
private enum WorkState {
    /// Next is started or over.
    case waiting(timer: (any Disposable)?)
    /// The work is being called. Next is running or over.
    case started
    /// Next is `over`.
    case running(any Disposable)
    /// The final state. The turns wait for the work that is still being called.
    case over(HeldTurns?)

    /// Returns whether the work may be called.
    mutating func start() -> Bool {
        guard case .waiting = self else { return false }
        self = .started
        return true
    }

    /// Stores the timer, or returns it if the end has come already.
    mutating func wait(for timer: any Disposable) -> (any Disposable)? {
        switch self {
        case .waiting: self = .waiting(timer: timer)
        case .started, .running: break
        case .over: return timer
        }
        return nil
    }

    /// Stores the work's disposable, unless the end has come already. Otherwise also returns the turns that wait for it.
    mutating func run(_ disposable: any Disposable) -> (isOver: Bool, HeldTurns?) {
        guard case .over(let turns) = self else {
            self = .running(disposable)
            return (false, nil)
        }
        self = .over(nil)
        return (true, turns)
    }

    /// Returns the disposable that has to be disposed, if there is one.
    mutating func end(holding turns: HeldTurns?) -> (any Disposable)? {
        switch self {
        case .waiting(let timer):
            self = .over(nil)
            return timer
        case .running(let disposable):
            self = .over(nil)
            return disposable
        case .started:
            self = .over(turns?.hold())
            return nil
        case .over:
            return nil
        }
    }
}
