// A backend of the library's own jobs, which wait for no thread that users may block.

package import Dispatch

/// Runs jobs on a few threads of its own, so that they do not wait for threads that users block. Jobs that call user
/// code which blocks delay the others only if they occupy all of these threads.
///
/// It is for rare jobs, such as a time limit that has passed, which other threads may wait for. It is never the current
/// scheduler, so a node's own job must not be run here.
final class FewThreadsBackend: SchedulerBackend {
    /// The number of threads.
    static let count = 16

    /// `threadCount` is the number of those that are in use.
    private let state = Locked((jobs: JobList(), threadCount: 0))
    let description: String

    init(_ description: String) { self.description = description }

    var isSerial: Bool { false }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) {
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            if state.threadCount == Self.count { return false }
            state.threadCount += 1
            return true
        }
        if needsThread { DispatchQueue.apart("futures.\(description)").submit { self.serve() } }
    }

    /// Runs jobs outside of all schedulers: callbacks that they lead to hop, unless they are on `.immediate`.
    private func serve() {
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

extension Scheduler {
    /// Runs jobs that must not wait for threads that users block.
    package static let unblocked = Scheduler(backend: FewThreadsBackend("unblocked"), isImmortal: true)

    /// The same for time limits, delays and rates, which belong to users' operations.
    static let ofLimits = Scheduler(backend: FewThreadsBackend("time"), isImmortal: true)

    /// A scheduler for the limits that this one's clock measures: this one if it has a clock of its own. Otherwise one
    /// that has threads for them, as this one may be blocked.
    // In a simulation all schedulers have its clock, so the real one is asked. Not inlined: it would be in a line several
    // times.
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
