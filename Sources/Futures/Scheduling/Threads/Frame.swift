// Frame: the jobs of one serving loop, on its stack.

/// The jobs that a loop or a pass has yet to run. It is on its stack, where a wait can reach it.
// Unsafe: loops refer to it by its address. It lives in `withUnsafeMutablePointer`, and leaves the thread's list before
// that returns. Tested by `NestingTests`.
struct Frame {
    /// The jobs that have yet to run when the job in progress has returned.
    var jobs: JobList
    /// What the job around this had led to before; in a pass, also what that leaves to the job around.
    var deferred: JobList
    /// The number of schedulers that the thread was executing: both lists belong to the last of them.
    let schedulerCount: Int
    let outer: UnsafeMutablePointer<Frame>?
    /// The job in progress.
    var running: Unmanaged<Job>?

    @inline(__always)
    init(jobs: consuming JobList = JobList(), deferred: consuming JobList, in thread: ThreadState) {
        self.jobs = jobs
        self.deferred = deferred
        schedulerCount = thread.storage.pointee.schedulers.count
        outer = thread.storage.pointee.frame
    }
}

extension ThreadState {
    /// The frames in progress, the innermost first.
    var frames: some Sequence<UnsafeMutablePointer<Frame>> {
        sequence(state: storage.pointee.frame) { next in
            defer { next = next?.pointee.outer }
            return next
        }
    }

    /// Calls `body` with a frame of its own. What the job in progress had led to before is set aside meanwhile. Returns
    /// the jobs that `body` has added.
    @inline(__always)
    func withFrame(
        _ jobs: consuming JobList = JobList(), _ body: (UnsafeMutablePointer<Frame>) -> Void
    ) -> JobList {
        var frame = Frame(jobs: jobs, deferred: storage.pointee.caused.take(), in: self)
        withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            body(frame)
            storage.pointee.frame = frame.pointee.outer
        }
        let added = storage.pointee.caused.take()
        storage.pointee.caused = frame.deferred
        return added
    }
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
