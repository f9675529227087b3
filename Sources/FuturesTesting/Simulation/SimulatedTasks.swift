// SimulatedTasks: the tasks of a simulation, which continue outside of it if it fails.

import Dispatch
import Futures
import Synchronization

/// The tasks that futures of a simulation have started.
struct SimulatedTasks {
    private struct Started {
        weak var canceller: (any Disposable & AnyObject)?
    }

    private var all: [Started] = []
    /// When to look next for those that have ended.
    private var limit = 16

    mutating func add(_ canceller: any Disposable & AnyObject) {
        all.append(Started(canceller: canceller))
        guard all.count > limit else { return }
        all.removeAll { $0.canceller == nil }
        limit = 2 * all.count + 16
    }

    /// Cancels those that have not ended.
    func cancel() {
        for task in all { task.canceller?.dispose() }
    }
}

/// A job of a task in a simulation. A callback that is left over may be released; the job of a task may not: the task,
/// and an actor that it is about to use or to leave, would wait forever. So one that is released before it has run
/// continues outside of the simulation.
final class SimulatedTaskJob: Sendable {
    private let work: @Sendable () -> Void
    private let scheduler: Scheduler
    private let hasBegun = Atomic<Bool>(false)

    init(_ work: @escaping @Sendable () -> Void, on scheduler: Scheduler) {
        self.work = work
        self.scheduler = scheduler
    }

    deinit {
        guard !hasBegun.load(ordering: .relaxed) else { return }
        // The thread that releases it may still be one that runs a simulation.
        DispatchQueue.global().async { [work, scheduler] in scheduler.async(work) }
    }

    func run() {
        hasBegun.store(true, ordering: .relaxed)
        work()
    }
}
