// VirtualTime: a scheduler whose clock only the test moves.

package import Futures

/// A scheduler whose clock only the test moves, so that what takes hours is tested in no time, and always alike.
///
///     let time = VirtualTime()
///     let late = Future(1).delay(by: .seconds(60), on: time.scheduler)
///     time.advance(by: .seconds(59))      // late.result is nil
///     time.advance(by: .seconds(1))       // late.result is 1
///
/// Jobs run inside `advance(by:)` and `run()`, on the calling thread, those of the same instant in the order in which
/// they were scheduled.
package final class VirtualTime: Sendable {
    private struct Entry {
        let time: Duration
        let order: Int
        let job: Job
    }

    private struct State {
        var now = Duration.zero
        var count = 0
        var entries: [Entry] = []
    }

    private let state = Locked(State())
    fileprivate let start = ContinuousClock.now

    package init() {}

    /// The scheduler that runs on this time. Each call returns an equal one.
    package var scheduler: Scheduler { Scheduler(backend: Backend(time: self)) }

    /// The time since the beginning.
    package var now: Duration { state.withLock { $0.now } }

    /// How many jobs and timers wait.
    package var pendingCount: Int { state.withLock { $0.entries.count } }

    /// Moves the clock on, and runs all that becomes due, each at its own time.
    package func advance(by duration: Duration) {
        let end = now + duration
        while let (job, scheduler) = takeNext(until: end) { scheduler.run(job) }
        state.withLock { $0.now = max($0.now, end) }
    }

    /// Runs what is due now, and what that schedules for now.
    package func run() {
        advance(by: .zero)
    }

    private func takeNext(until end: Duration) -> (JobList, Scheduler)? {
        state.withLock { state in
            let due = state.entries.indices.filter { state.entries[$0].time <= end }
            let next = due.min {
                (state.entries[$0].time, state.entries[$0].order) < (
                    state.entries[$1].time, state.entries[$1].order
                )
            }
            guard let next else { return nil }
            let entry = state.entries.remove(at: next)
            state.now = max(state.now, entry.time)
            return (JobList(entry.job), scheduler)
        }
    }

    @discardableResult
    fileprivate func add(_ job: Job, after delay: Duration) -> Int {
        state.withLock { state in
            state.count += 1
            state.entries.append(Entry(time: state.now + max(delay, .zero), order: state.count, job: job))
            return state.count
        }
    }

    fileprivate func remove(_ order: Int) {
        // Taken out under the lock, released outside of it.
        _ = state.withLock { state in
            state.entries.firstIndex { $0.order == order }.map { state.entries.remove(at: $0) }
        }
    }
}

extension VirtualTime {
    private struct Timer: Disposable {
        let time: VirtualTime
        let order: Int

        func dispose() { time.remove(order) }
    }

    private struct Backend: SchedulerBackend {
        let time: VirtualTime

        var isSerial: Bool { true }
        var description: String { "virtual time" }
        var identity: ObjectIdentifier { ObjectIdentifier(time) }
        var isCurrent: Bool { false }
        var now: ContinuousClock.Instant { time.start + time.now }

        func enqueue(_ job: Job, for scheduler: Scheduler) {
            time.add(job, after: .zero)
        }

        func enqueue(_ job: Job, after delay: Duration, for scheduler: Scheduler) -> any Disposable {
            Timer(time: time, order: time.add(job, after: delay))
        }

        func sync<T>(for scheduler: Scheduler, _ work: () throws -> T) rethrows -> T { try work() }
    }
}
