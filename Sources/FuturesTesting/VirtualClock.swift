// VirtualClock: a clock that is moved by hand, and the backend of a scheduler that uses it.

import Dispatch
import Futures

/// A clock that only `takeNext` and `reach` move, the jobs that wait for its times, and the turns of the threads that
/// run them.
///
/// Not part of `VirtualTime`, which retains a scheduler that retains this: that would be a reference cycle.
final class VirtualClock: Sendable {
    private struct State {
        var now = Duration.zero
        var agenda = Agenda()
        var turns = Turns()
        var isMoving = false
        var escapes = EscapeList()
    }

    private let state = Locked(State())
    private let start = ContinuousClock.now
    private let isStrict: Bool
    let faultList = FaultList()
    let dog = Watchdog()

    init(isStrict: Bool) {
        self.isStrict = isStrict
        Worlds.change(by: 1)
    }

    // Pending jobs may retain other clocks, nested to any depth: released here, they would take stack.
    deinit {
        Worlds.change(by: -1)
        var agenda: Agenda? = state.withLock { state in
            defer { state.agenda = Agenda() }
            return state.agenda
        }
        DeferredReleases.here.release(&agenda)
    }

    var elapsed: Duration { state.withLock { $0.now } }
    var count: Int { state.withLock { $0.agenda.count } }
    var items: [Agenda.Item] { state.withLock { $0.agenda.items } }
    var escapes: EscapeList { state.withLock { $0.escapes } }

    /// Removes the next job that is due, at `end` or earlier if that is given, and moves the clock to its time.
    func takeNext(until end: Duration? = nil) -> JobList? {
        state.withLock { state in
            guard let (time, job) = state.agenda.takeFirst(until: end) else { return nil }
            state.now = max(state.now, time)
            return JobList(job)
        }
    }

    /// Moves the clock to `time`, unless it has passed that.
    func reach(_ time: Duration) {
        state.withLock { $0.now = max($0.now, time) }
    }

    /// Calls `body` when the threads that came before have had their turns. The calling thread must not have the turn
    /// already: that would be a deadlock.
    func inTurn<T>(_ body: () -> T) -> T {
        state.withLock { $0.turns.take() }?.wait()
        defer { state.withLock { $0.turns.pass() }?.signal() }
        return body()
    }

    /// Marks the clock as being moved by the calling thread. Returns false if another thread is moving it.
    func beginMoving() -> Bool {
        state.withLock { state in
            defer { state.isMoving = true }
            return !state.isMoving
        }
    }

    func endMoving() {
        state.withLock { $0.isMoving = false }
    }

    @discardableResult
    private func add(_ job: Job, after delay: Duration?) -> any Disposable {
        let order = state.withLock { state in
            state.agenda.add(job, at: state.now.delayed(by: delay ?? .zero), isTimer: delay != nil)
        }
        return Timer(clock: self, order: order)
    }

    // A class: a future keeps what stops its timer as an object.
    private final class Timer: Disposable {
        let clock: VirtualClock
        let order: Int

        init(clock: VirtualClock, order: Int) {
            self.clock = clock
            self.order = order
        }

        func dispose() {
            let job = clock.state.withLock { $0.agenda.remove(order) }
            withExtendedLifetime(job) {}
        }
    }
}

extension VirtualClock: ClockWithWatchdog {
    var isSerial: Bool { true }
    var description: String { "virtual time" }
    var now: ContinuousClock.Instant { start + elapsed }
    var watchdog: Watchdog { dog }
    var faults: (any FaultSource)? { faultList }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) { add(job, after: nil) }

    func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable {
        add(ClosureJob(.callback, work), after: delay)
    }

    func sync(for scheduler: Scheduler, _ work: () -> Void) { inTurn(work) }
}

extension VirtualClock {
    func noteTask() {
        if isStrict { note("a task", on: nil) }
    }

    func watching(_ scheduler: Scheduler, insteadOf real: any SchedulerBackend) -> (any SchedulerBackend)? {
        isStrict ? WatchedBackend(of: scheduler, real, for: self) : nil
    }

    /// Notes that `work` was passed to `scheduler`; if that is nil, to the concurrent pool.
    func note(_ work: String, on scheduler: Scheduler?) {
        state.withLock { state in
            state.escapes.add(VirtualTime.Escape(time: state.now, work: work, scheduler: scheduler))
        }
    }
}
