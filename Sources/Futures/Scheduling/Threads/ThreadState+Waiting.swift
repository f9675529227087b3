// Catching up: what a thread does before it blocks.

/// What a future waits for, as far as is known.
struct Needed {
    /// The nodes that have to run.
    var jobs: Set<ObjectIdentifier> = []
    /// One of them waits for its turn in a queue, which any job that ends a turn may give to it.
    var isTurn = false

    func contains(_ job: Job) -> Bool {
        if jobs.contains(ObjectIdentifier(job)) { return true }
        guard isTurn, case .following = job.urgency else { return false }
        return true
    }
}

// A callback that waits blocks its thread, and with it all that the loops around it have still to do. So before it
// blocks it does a part of that here, further in:
//
// 1. What callbacks in progress have deferred, its own first, then further out. But for the limit, it would have run
//    before the call that deferred it returned; so it is late rather than early.
// 2. Of what the loops have in their lists, whatever calls no callback: hops, and what wakes other threads. Those are
//    siblings of the callbacks in progress, and would run when these have returned.
// 3. Siblings that are callbacks only if the future is known to need one of them, and then those before it too, so that
//    all are called in their order (rules 2a, 10a: they nest in the one that waits). Others are left: a callback that
//    waits for another thread may count on it that no other one of its serial scheduler comes in between.
//
// Each job runs on the scheduler for which it was kept: this thread has it, further out.
//
// A job that runs here may wait, too, and come back here. The stack that this takes is the users' where each waits for
// something that it has begun itself. Where they are merely many that wait, it is ours, and so has a limit.
extension ThreadState {
    /// How many waits do what callbacks further out have deferred, one inside of the other.
    static let waitingLimit = 32

    /// Does what this thread has set aside, before the callback in progress blocks it, until `isDone`.
    func catchUp(until isDone: () -> Bool, needing needed: () -> Needed) {
        guard storage.pointee.depth > 0 else { return }
        let releases = DeferredReleases.here
        let (isDeferring, count) = (releases.isDeferring, releases.count)
        releases.isDeferring = false
        let (base, isUnwinding) = (storage.pointee.base, storage.pointee.isUnwinding)
        let handsOver = storage.pointee.handsOver
        storage.pointee.base = storage.pointee.depth
        storage.pointee.isUnwinding = false
        // Nobody would take over what is handed over when this is done, and the thread blocks.
        storage.pointee.handsOver = false
        storage.pointee.waitCount += 1
        var frame = Frame(
            jobs: JobList(), deferred: storage.pointee.deferred.take(),
            schedulerCount: storage.pointee.schedulers.count, outer: storage.pointee.frame)
        withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            runDeferred(from: frame, until: isDone, releasingAbove: count)
            runUrgent(from: frame, until: isDone)
            release(above: count)
            runSiblings(from: frame, until: isDone, needing: needed, releasingAbove: count)
            release(above: count)
            storage.pointee.frame = frame.pointee.outer
        }
        storage.pointee.waitCount -= 1
        storage.pointee.handsOver = handsOver
        storage.pointee.base = base
        storage.pointee.isUnwinding = isUnwinding
        storage.pointee.deferred.prepend(frame.deferred)
        releases.isDeferring = isDeferring
    }

    private func runDeferred(
        from innermost: UnsafeMutablePointer<Frame>, until isDone: () -> Bool, releasingAbove count: Int
    ) {
        var next = Optional(innermost)
        while let frame = next, frame == innermost || storage.pointee.waitCount <= Self.waitingLimit {
            while !frame.pointee.deferred.isEmpty, !isDone() { runFirst(of: frame, \.deferred, releasingAbove: count) }
            next = frame.pointee.outer
        }
    }

    private func runUrgent(from innermost: UnsafeMutablePointer<Frame>, until isDone: () -> Bool) {
        var next = Optional(innermost)
        while let frame = next, !isDone() {
            // Not empty only where too many waits are nested.
            if frame != innermost, !frame.pointee.deferred.isEmpty { runUrgent(of: frame, \.deferred, false) }
            if !frame.pointee.jobs.isEmpty { runUrgent(of: frame, \.jobs, true) }
            next = frame.pointee.outer
        }
    }

    private func runSiblings(
        from innermost: UnsafeMutablePointer<Frame>, until isDone: () -> Bool, needing needed: () -> Needed,
        releasingAbove held: Int
    ) {
        guard storage.pointee.waitCount <= Self.waitingLimit else { return }
        while !isDone() {
            var next = Optional(innermost)
            while let frame = next, frame.pointee.jobs.isEmpty { next = frame.pointee.outer }
            guard next != nil else { return }
            let needed = needed()
            var count = 0
            while let frame = next {
                if let index = frame.pointee.jobs.firstIndex(where: needed.contains) {
                    count = index + 1
                    break
                }
                next = frame.pointee.outer
            }
            guard let frame = next else { return }
            while count > 0, !frame.pointee.jobs.isEmpty, !isDone() {
                runFirst(of: frame, \.jobs, releasingAbove: held)
                count -= 1
            }
            runUrgent(from: innermost, until: isDone)
            release(above: held)
        }
    }

    /// Runs the first job of a list, to which what it defers goes back; before a callback, releases what waits.
    private func runFirst(
        of frame: UnsafeMutablePointer<Frame>, _ list: WritableKeyPath<Frame, JobList>, releasingAbove count: Int
    ) {
        asBefore(frame) {
            if frame.pointee[keyPath: list].firstJob?.isCallback == true { release(above: count) }
            guard let job = frame.pointee[keyPath: list].popFirst() else { return }
            job.run()
            let releases = DeferredReleases.here
            releases.isDeferring = true
            _ = consume job
            releases.isDeferring = false
        }
        frame.pointee[keyPath: list].prepend(storage.pointee.deferred.take())
        guard storage.pointee.isUnwinding else { return }
        storage.pointee.isUnwinding = false
        storage.pointee.deferrals = 0
    }

    private func runUrgent(
        of frame: UnsafeMutablePointer<Frame>, _ list: WritableKeyPath<Frame, JobList>, _ behindCallback: Bool
    ) {
        let jobs = frame.pointee[keyPath: list].take()
        asBefore(frame) { _ = serveUrgent(jobs, behindCallback: behindCallback) }
        frame.pointee[keyPath: list].prepend(storage.pointee.deferred.take())
    }

    /// Calls `work` with the scheduler as the current one that was it when the frame was made.
    private func asBefore(_ frame: UnsafeMutablePointer<Frame>, _ work: () -> Void) {
        let count = frame.pointee.schedulerCount
        guard count != storage.pointee.schedulers.count else { return work() }
        storage.pointee.schedulers.append(
            count == 0 ? Executing(scheduler: nil, isHeld: false) : storage.pointee.schedulers[count - 1])
        work()
        storage.pointee.schedulers.removeLast()
    }
}
