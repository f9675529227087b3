// Frame: the jobs of one serving loop, on its stack.

/// The jobs that a loop has yet to run. It is on the loop's stack, where a nested wait can reach it.
// Unsafe: loops refer to it by its address. It lives in `withUnsafeMutablePointer`, and leaves the thread's list before
// that returns. Tested by `NestingTests`.
struct Frame {
    /// The jobs that the loop has yet to run when the job in progress has returned.
    var jobs: JobList
    /// The jobs that were deferred before the loop started.
    var deferred: JobList
    /// The number of schedulers that the thread was executing: both lists belong to the last of them.
    let schedulerCount: Int
    let outer: UnsafeMutablePointer<Frame>?
    /// Whether the loop runs urgent jobs only.
    var isUrgent = false
    /// How many operations of queues have started in the loop when others had ended.
    var turnCount = 0
    /// The job in progress.
    var running: Unmanaged<Job>?
}

extension UnsafeMutablePointer<Frame> {
    /// Runs a job of the loop, so that a wait in it finds it.
    @inline(__always)
    func run(_ job: Job) {
        pointee.running = .passUnretained(job)
        if Recording.hasExtras { runWithExtras(job) } else { job.run() }
        pointee.running = nil
    }

    @inline(never)
    private func runWithExtras(_ job: Job) {
        let run = {
            if let recorder = Recording.recorderIfOn {
                recorder.run(job, on: ThreadState.here.scheduler)
            } else {
                job.run()
            }
        }
        if Recording.isCarrying { Carried.with(nil, run) } else { run() }
    }
}
