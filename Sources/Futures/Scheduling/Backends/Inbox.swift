// Inbox: jobs that wait for the blocks that will run them.

/// The jobs that wait in a dispatch queue: a list beside the queue, whose blocks take the first one each.
///
/// So all blocks are the same one. A closure around each job would allocate twice, its context and its block. A job is
/// added before its block is, so whoever adds jobs and gives blocks of its own to the queue finds them in that order
/// (Contract/Schedulers.md): a block may run a job that was added before the one it was made for, but never a later one of its thread.
final class Inbox: Sendable {
    private struct State {
        var jobs = JobList()
        /// There as long as jobs are: nobody else may hold it.
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
