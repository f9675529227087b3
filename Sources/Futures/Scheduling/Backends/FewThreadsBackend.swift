// A backend of the library's own jobs, which wait for no thread that users may block.

package import Dispatch

/// Runs rare jobs, such as a time limit that has passed, on threads of its own: so they wait for threads that user code
/// blocks only if that is all of these.
///
/// It is never the current scheduler: callbacks that a job leads to hop, unless they are on `.immediate`, and a node's
/// own job must not be run here.
final class FewThreadsBackend: SchedulerBackend {
    static let threadLimit = 16

    private let state = Locked((jobs: JobList(), threadCount: 0))
    let description: String

    init(_ description: String) { self.description = description }

    var isSerial: Bool { false }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) {
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            if state.threadCount == Self.threadLimit { return false }
            state.threadCount += 1
            return true
        }
        guard needsThread else { return }
        DispatchQueue.apart("futures.\(description)").submit { [self] in
            while true {
                let job = state.withLock { state in
                    if state.jobs.isEmpty { state.threadCount -= 1 }
                    return state.jobs.takeFirst()
                }
                if job.isEmpty { return }
                ThreadState.here.serve(job)
            }
        }
    }
}

extension Scheduler {
    /// For jobs that must not wait for threads that users block.
    package static let unblocked = Scheduler(backend: FewThreadsBackend("unblocked"), isImmortal: true)

    /// The same for time limits, delays and rates, which belong to users' operations.
    static let ofLimits = Scheduler(backend: FewThreadsBackend("time"), isImmortal: true)

    /// Where the limits expire that this scheduler's clock measures: elsewhere, unless it has a clock of its own, as
    /// user code may block it.
    // In a simulation all schedulers have its clock, so the real one is asked. Inlined, it would be in a line often.
    @inline(never)
    @usableFromInline package var forLimits: Scheduler { hasOwnClock ? self : .ofLimits }
}

extension DispatchQueue {
    /// Releases a value on another thread, because that may run user code.
    static func releaseElsewhere<Value: Sendable>(_ value: consuming Value) {
        let last = Locked<Value?>(value)
        global().submit(isSerial: false) { _ = last.withLock { $0.take() } }
    }

    /// Makes a serial queue of the library's own. Without a target, it gets a thread even if all threads of the global
    /// queues are blocked.
    package static func apart(_ label: String) -> DispatchQueue {
        #if canImport(Darwin)
            // Blocks inherit the quality of what enqueues them, where their queue has none.
            let qos = DispatchQoS.default
        #else
            // Each quality has 255 threads for serial queues of its own; those of this one are used the least.
            let qos = DispatchQoS.userInteractive
        #endif
        return DispatchQueue(label: label, qos: qos)
    }
}
