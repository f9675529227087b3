// DispatchTimer: a job that waits for its time.

internal import Dispatch

/// Runs a job after a delay; disposing it stops the timer and releases the job at once.
final class DispatchTimer: Disposable {
    private struct State {
        var job: Job?
        var source: (any DispatchSourceTimer)?
    }

    private let scheduler: Scheduler
    private let state: Locked<State>
    private let deliver: @Sendable (JobList, Scheduler) -> Void

    private init(_ job: Job, for scheduler: Scheduler, deliver: @escaping @Sendable (JobList, Scheduler) -> Void) {
        self.scheduler = scheduler
        self.deliver = deliver
        state = Locked(State(job: job))
    }

    /// Calls `deliver` on `queue` once `delay` has passed.
    static func start(
        _ job: Job, for scheduler: Scheduler, on queue: DispatchQueue, after delay: Duration,
        deliver: @escaping @Sendable (JobList, Scheduler) -> Void
    ) -> DispatchTimer {
        let timer = DispatchTimer(job, for: scheduler, deliver: deliver)
        let source = DispatchSource.makeTimerSource(queue: queue)
        // A repeat interval of `.never` and no leeway beyond Dispatch's own: it fires once and is cancelled.
        source.schedule(deadline: .now() + delay.dispatchInterval)
        source.setEventHandler { timer.fire() }
        timer.state.withLock { $0.source = source }
        source.activate()
        return timer
    }

    private func fire() {
        if let jobs = take().map(JobList.init) { deliver(jobs, scheduler) }
    }

    func dispose() { _ = take() }

    private func take() -> Job? {
        let (job, source) = state.withLock { state in (state.job.take(), state.source.take()) }
        source?.cancel()
        return job
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
