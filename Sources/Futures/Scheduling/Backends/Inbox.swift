// Inbox: the jobs of a dispatch queue's blocks.

/// The jobs that wait in a dispatch queue: a list beside the queue, from which each block takes the first job.
///
/// So all blocks are the same object. A closure for each job would need two allocations, its context and its block. A
/// job is added before its block is submitted, so jobs and the user's own blocks run in the order in which a thread
/// submits them: a block may run a job that was added before the one that it was submitted for, but never a
/// later one of the same thread.
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
