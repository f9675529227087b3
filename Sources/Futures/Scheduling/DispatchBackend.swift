// DispatchBackend: a scheduler's dispatch queue, and its timers.

internal import Dispatch
internal import Synchronization

/// Runs jobs on a dispatch queue.
struct DispatchBackend: SchedulerBackend {
    let queue: DispatchQueue
    let isSerial: Bool
    private let mark: Mark

    /// What tells a queue: on Linux `DispatchQueue.main` is another object at each call.
    private final class Mark: Sendable {}

    /// On every queue that a scheduler wraps, so that a block which the user gave to it directly is recognised.
    /// `Thread.isMainThread` would be slower and is wrong on Linux once an async main has suspended.
    private static let key = DispatchSpecificKey<Mark>()

    /// How many queues were marked; the lock is what matters: two threads that wrap the same queue must not both mark it.
    // No `Locked<Void>`: the thread sanitizer takes accesses to a value without a size for a race.
    private static let markedCount = Locked(0)

    init(_ queue: DispatchQueue, isSerial: Bool) {
        self.queue = queue
        self.isSerial = isSerial
        mark = Self.markedCount.withLock { count in
            if let known = queue.getSpecific(key: Self.key) { return known }
            let mark = Mark()
            queue.setSpecific(key: Self.key, value: mark)
            count += 1
            return mark
        }
    }

    /// Main-actor code runs on the main queue.
    var isIsolating: Bool { identity == Scheduler.main.backend.identity }
    var description: String { queue.label }
    var identity: ObjectIdentifier { ObjectIdentifier(mark) }
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) === mark }

    func enqueue(_ job: Job, for scheduler: Scheduler) {
        // Not the job itself: the block would keep it until all that it completes was served.
        let jobs = JobList(job)
        queue.async { scheduler.run(jobs) }
    }

    func enqueue(_ job: Job, after delay: Duration, for scheduler: Scheduler) -> any Disposable {
        let timer = Timer(job, for: scheduler)
        timer.start(on: queue, after: delay)
        return timer
    }

    func sync<T>(_ work: () throws -> T) rethrows -> T {
        try queue.sync(execute: work)
    }
}

extension DispatchBackend {
    /// Runs a job after a delay; disposing it stops the timer and releases the job at once.
    private final class Timer: Disposable {
        private struct State {
            var job: Job?
            var source: (any DispatchSourceTimer)?
        }

        private let scheduler: Scheduler
        private let state: Locked<State>

        init(_ job: Job, for scheduler: Scheduler) {
            self.scheduler = scheduler
            state = Locked(State(job: job))
        }

        func start(on queue: DispatchQueue, after delay: Duration) {
            let source = DispatchSource.makeTimerSource(queue: queue)
            // A repeat interval of `.never` and no leeway beyond Dispatch's own: it fires once and is cancelled.
            source.schedule(deadline: .now() + delay.dispatchInterval)
            source.setEventHandler { [self] in fire() }
            state.withLock { $0.source = source }
            source.activate()
        }

        private func fire() {
            if let jobs = take().map(JobList.init) { scheduler.run(jobs) }
        }

        func dispose() { _ = take() }

        private func take() -> Job? {
            let (job, source) = state.withLock { state in (state.job.take(), state.source.take()) }
            source?.cancel()
            return job
        }
    }
}

extension Duration {
    /// The same time for Dispatch: negative ones are no time, ones past 292 years never end.
    fileprivate var dispatchInterval: DispatchTimeInterval {
        guard self > .zero else { return .nanoseconds(0) }
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow2) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || overflow2 ? .never : .nanoseconds(Int(clamping: sum))
    }
}
