// Inbox: the jobs of a dispatch queue's blocks.

/// The jobs that wait in a dispatch queue: a list beside the queue, from which each block takes the first job.
///
/// So all blocks are the same object. A closure for each job would need two allocations, its context and its block.
///
/// Jobs are in the order of their blocks, because a job is added and its block submitted under one lock. Otherwise, a
/// block could run the job of another thread that has not submitted its own block yet: the block's own job would be
/// left to that block, behind what its thread submits next.
final class Inbox: Sendable {
    private struct State {
        var jobs = JobList()
        /// Set while there are jobs, because there may be no other reference to it.
        var scheduler: Scheduler?
    }

    private let state = Locked(State())
    /// The number of jobs that were added. Its lock is what matters. It is not the lock of the state, which a block
    /// takes that may run before `submit` has returned.
    private let addedCount = Locked(0)

    /// Adds a job and calls `submit`, which submits its block.
    func add(_ job: Job, for scheduler: Scheduler, submit: () -> Void) {
        addedCount.withLock { count in
            count &+= 1
            state.withLock { state in
                state.jobs.append(job)
                if state.scheduler == nil { state.scheduler = scheduler }
            }
            submit()
        }
    }

    func runFirst() {
        let (job, scheduler) = state.withLock { state in
            let job = state.jobs.takeFirst()
            return (job, state.jobs.isEmpty ? state.scheduler.take() : state.scheduler)
        }
        scheduler?.run(job)
    }
}
