// Frame: the jobs of one serving loop, on its stack.

/// The jobs that a loop or a pass has yet to run, and what it restores. It is on its stack, where a wait can reach it.
// Unsafe: loops refer to it by its address. It lives in `withUnsafeMutablePointer`, and leaves the thread's list before
// that returns. Tested by `NestingTests`.
struct Frame {
    /// The jobs that have yet to run when the job in progress has returned.
    var jobs: JobList
    /// What the job around this had led to before; in a pass, also what that leaves to the job around.
    var deferred: JobList
    /// The job in progress.
    var running: Unmanaged<Job>?
    /// Whether this is a pass.
    var isPass = false

    /// The scheduler that both lists belong to.
    let executing: ThreadState.Executing?
    // What was true of the thread around this, and will be again.
    let outer: UnsafeMutablePointer<Frame>?
    private let isServing: Bool
    private let handsOver: Bool
    private let isDeferring: Bool

    @inline(__always)
    init(jobs: consuming JobList = JobList(), in thread: ThreadState) {
        self.jobs = jobs
        let storage = thread.storage
        deferred = storage.pointee.caused.take()
        executing = storage.pointee.executing
        outer = storage.pointee.frame
        isServing = storage.pointee.isServing
        handsOver = storage.pointee.handsOver
        isDeferring = storage.pointee.releases.isDeferring
    }

    /// Restores what was before this frame. Returns the jobs that were added in it.
    @inline(__always)
    func end(in thread: ThreadState) -> JobList {
        let storage = thread.storage
        storage.pointee.releases.isDeferring = isDeferring
        storage.pointee.isServing = isServing
        storage.pointee.handsOver = handsOver
        storage.pointee.frame = outer
        let added = storage.pointee.caused
        storage.pointee.caused = deferred
        return added
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
        var frame = Frame(jobs: jobs, in: self)
        withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            body(frame)
        }
        return frame.end(in: self)
    }
}

extension UnsafeMutablePointer<Frame> {
    /// Runs a job of the loop and then releases it: that may lead to jobs, which would be lost behind the last job.
    @inline(__always)
    func runAndRelease(_ job: consuming Job) {
        run(job)
        _ = consume job
    }

    /// Runs a job of the loop, so that a wait in it finds it.
    @inline(__always)
    func run(_ job: Job) {
        pointee.running = .passUnretained(job)
        if Recording.hasExtras { runWithExtras(job) } else { job.run() }
        pointee.running = nil
    }

    @inline(never)
    private func runWithExtras(_ job: Job) {
        Carried.with(nil) {
            if let recorder = Recording.recorderIfOn { recorder.run(job) } else { job.run() }
        }
    }
}
