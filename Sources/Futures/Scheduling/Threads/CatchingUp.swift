// Catching up: the jobs that a thread runs before it blocks.

internal import Dispatch

/// The jobs that are known to be needed for a future.
struct Needed {
    /// The nodes that have to run.
    var jobs: Set<ObjectIdentifier> = []
    /// Whether one of them waits for its turn in a queue, which any job that ends a turn may give to it, or for its start.
    var isTurn = false

    func contains(_ job: Job) -> Bool {
        if jobs.contains(ObjectIdentifier(job)) { return true }
        return isTurn && (job.startsTurn || job.urgency == .following)
    }
}

// A callback that waits blocks its thread, and with it all jobs that the loops around it have yet to run. So before it
// blocks, it runs some of them here, nested in it:
//
// 1. Jobs to which callbacks in progress have led: first those of the innermost callback, then those further out.
// 2. Those jobs in the loops' lists that call no callback: hops, and jobs that wake other threads. They are siblings of
//    the callbacks in progress and would run when these have returned.
// 3. Siblings that are callbacks, only if the future is known to need one of them. The siblings ahead of it run too, so
//    that all are called in their order; they nest in the callback that waits. The others are left: a
//    callback that waits for another thread may rely on no other callback of its serial scheduler running meanwhile.
//
// After 50 ms, it may be another thread that waits for one of the siblings that are left: for the end of a turn, or for
// the start of an operation in place. Then `passOn` ends the turns here, ahead of the callbacks, and has another thread
// start such operations. It does not run them itself: one that waits for what the callback does after its wait would
// never return.
//
// Each job runs on the scheduler for which it was kept, which this thread holds further out.
//
// A job that runs here may wait too, and come back here. Where each callback waits for something that it has started
// itself, the stack is the user's to limit. Where many independent callbacks wait, it is the library's: so their
// nesting has a limit.
extension ThreadState {
    /// The number of nested waits that run jobs of callbacks further out.
    static let waitingLimit = 32

    /// Runs jobs that this thread has set aside, until `isDone`, before the callback in progress blocks the thread.
    func catchUp(until isDone: () -> Bool, needing needed: () -> Needed) {
        guard storage.pointee.frame != nil else { return }
        let (count, handsOver) = (releases.count, storage.pointee.handsOver)
        // No code would continue with what is handed over, as the thread blocks when this returns.
        storage.pointee.handsOver = false
        storage.pointee.waitCount += 1
        let added = withFrame { _ in
            releases.isDeferring = false
            storage.pointee.isServing = true
            runDeferred(until: isDone, releasingAbove: count)
            runUrgent(until: isDone)
            release(above: count)
            runSiblings(until: isDone, needing: needed, releasingAbove: count)
            release(above: count)
        }
        storage.pointee.waitCount -= 1
        storage.pointee.handsOver = handsOver
        storage.pointee.caused.append(added)
    }

    /// Whether a job is in progress that a wait in it blocks.
    var isRunning: Bool { storage.pointee.frame != nil }

    /// The jobs in progress, the innermost one first.
    var runningJobs: [Job] { frames.compactMap { $0.pointee.running?.takeUnretainedValue() } }

    private func runDeferred(until isDone: () -> Bool, releasingAbove count: Int) {
        for frame in frames where frame == storage.pointee.frame || storage.pointee.waitCount <= Self.waitingLimit {
            while !frame.pointee.deferred.isEmpty, !isDone() { runFirst(of: frame, \.deferred, releasingAbove: count) }
        }
    }

    private func runUrgent(until isDone: () -> Bool) {
        for frame in frames {
            if isDone() { return }
            // Not empty only if too many waits are nested.
            runUrgent(of: frame, \.deferred, false)
            runUrgent(of: frame, \.jobs, true)
        }
    }

    private func runSiblings(until isDone: () -> Bool, needing needed: () -> Needed, releasingAbove held: Int) {
        guard storage.pointee.waitCount <= Self.waitingLimit else { return }
        // To look costs as much as there are jobs that are needed. Where those are many, the answer serves for as many.
        var (known, age) = (Needed(), 0)
        while !isDone(), frames.contains(where: { !$0.pointee.jobs.isEmpty }) {
            let isFresh = known.jobs.count <= 64 || age >= known.jobs.count
            if isFresh { (known, age) = (needed(), 0) }
            guard let (frame, count) = first(of: known) else {
                guard !isFresh else { return }
                age = .max
                continue
            }
            for _ in 0..<count where !frame.pointee.jobs.isEmpty && !isDone() {
                runFirst(of: frame, \.jobs, releasingAbove: held)
            }
            age += count
            runUrgent(until: isDone)
            release(above: held)
        }
    }

    /// The innermost loop that has yet to run one of these jobs, and how many it runs up to the first of them.
    private func first(of needed: Needed) -> (UnsafeMutablePointer<Frame>, Int)? {
        for frame in frames {
            if let index = frame.pointee.jobs.firstIndex(where: needed.contains) { return (frame, index + 1) }
        }
        return nil
    }

    /// Runs the first job of a list, and puts the jobs to which it leads at the front of that list. Before a
    /// callback, it releases the waiting references.
    private func runFirst(
        of frame: UnsafeMutablePointer<Frame>, _ list: WritableKeyPath<Frame, JobList>, releasingAbove count: Int
    ) {
        asBefore(frame) {
            if frame.pointee[keyPath: list].firstUrgency == .callback { release(above: count) }
            guard let job = frame.pointee[keyPath: list].popFirst() else { return }
            runAndRelease(consume job, in: storage.pointee.frame!)
            if !storage.pointee.caused.isEmpty { frame.pointee[keyPath: list].prepend(takeCaused()) }
        }
    }

    private func runUrgent(
        of frame: UnsafeMutablePointer<Frame>, _ list: WritableKeyPath<Frame, JobList>, _ behindCallback: Bool
    ) {
        guard !frame.pointee[keyPath: list].isEmpty else { return }
        let jobs = frame.pointee[keyPath: list].take()
        asBefore(frame) {
            pass(jobs, behindCallback: behindCallback)
            frame.pointee[keyPath: list].prepend(storage.pointee.caused.take())
        }
    }

    /// Calls `work` with the scheduler that was current when the frame was created. Call this in a frame further in,
    /// which knows the scheduler that is current now.
    private func asBefore(_ frame: UnsafeMutablePointer<Frame>, _ work: () -> Void) {
        let executing = storage.pointee.executing
        storage.pointee.executing = frame.pointee.executing
        work()
        storage.pointee.executing = executing
    }
}

extension ThreadState {
    /// Ends the turns that the loops have yet to end, and has other threads start the operations that the loops have
    /// yet to start on no serial scheduler. To be called if this thread has been blocked for a while, and is blocked
    /// again after this.
    package func passOn() {
        guard storage.pointee.passDepth < Self.passLimit else { return }
        let added = withFrame { _ in
            for frame in frames {
                endTurns(of: frame)
                moveJobs(of: frame)
            }
        }
        storage.pointee.caused.append(added)
    }

    private func endTurns(of frame: UnsafeMutablePointer<Frame>) {
        let ends = frame.pointee.jobs.removeAll(where: \.endsTurn)
        if !ends.isEmpty { asBefore(frame) { frame.pointee.jobs.append(urgentFirst(ends)) } }
    }

    /// Has other threads start the operations that have their turn. In a simulation, which has one thread, all jobs.
    private func moveJobs(of frame: UnsafeMutablePointer<Frame>) {
        let isSimulated = Worlds.here != nil
        let scheduler = frame.pointee.executing?.scheduler.takeUnretainedValue()
        guard scheduler?.backend.isSerial != true else { return }
        let moved = frame.pointee.jobs.removeAll { isSimulated || $0.startsTurn }
        guard !moved.isEmpty else { return }
        let jobs = ClosureJob { ThreadState.here.serve(moved) }
        if let scheduler = scheduler ?? (isSimulated ? .background : nil) {
            scheduler.enqueue(jobs)
        } else {
            // Outside of all schedulers, as here: a thread at most for each one that waits.
            DispatchQueue(label: "futures.moved").submit { jobs.run() }
        }
    }
}
