// Inbox: the jobs of a dispatch queue's blocks.

/// The jobs that wait in a dispatch queue: a list beside the queue, from which each block takes the first job.
///
/// So all blocks are the same object. A closure for each job would need two allocations, its context and its block.
///
/// A job must be added, and its block submitted, under one lock, so that both are in the same order. Otherwise, a block
/// could run the job of another thread that has not submitted its own block yet: the block's own job would be left to
/// that block, behind what its thread submits next.
final class Inbox: Sendable {
    private struct State {
        var jobs = JobList()
        /// Set while there are jobs, because there may be no other reference to it.
        var scheduler: Scheduler?
    }

    private let state = Locked(State())
    func add(_ job: Job, for scheduler: Scheduler) {
        state.withLock { state in
            state.jobs.append(job)
            if state.scheduler == nil { state.scheduler = scheduler }
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
