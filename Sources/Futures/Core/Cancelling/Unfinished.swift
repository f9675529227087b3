// Unfinished: work that was stopped and has not ended, which turns in queues wait for.

internal import Synchronization

/// The work that a cancel has stopped and that is still in progress: disposables that are called, running tasks, running
/// closures.
///
/// A future completes at once when it is cancelled, but the work that this stops may still use the resource of an
/// operation. So its node refers to an `Unfinished`, and so does whatever gets its result from that node: the next steps, a
/// combination, and at last the operation of a queue, whose turn ends when all has ended.
///
///     cancel ──► operation ──► join ──► a source ── its disposable is being called by another thread   ┐ each counts
///                    ┆          └─────► a source ── its disposable is called by this cancel            ├ once, and
///                    ┆          └─────► a map ───── its closure is running                             ┘ all are `own`
///                    └┄┄ its turn: added as a job, which runs when the count is zero
///
/// A cancel has one of these, which its nodes have before they publish their results. It refers to two kinds of others:
///
///     own     a disposable that cancels something makes another one, and counts in this one (its `outer`) until it ends
///     met     what the cancel finds stopped by others. The end does not wait for it; a turn looks through it afterwards,
///             and waits for each
///
/// Without that difference, two cancels that meet would wait for each other, and a disposable for its own end.
// Safe to share: `own` and `waiting` are atomic. The thread that counts to zero takes `outer`. `met` has a lock, except for
// the thread that makes or releases this, or counts to zero. Tested by the explored scenarios in `ScenarioTests`.
@usableFromInline
final class Unfinished: @unchecked Sendable {
    /// What this has stopped and what has not ended; and one for the cancel in progress.
    private let own = Atomic<Int>(1)
    @exclusivity(unchecked) private var outer: Unfinished?
    @exclusivity(unchecked) private var met: [Unfinished] = []
    /// The jobs that wait for the end, the latest one first; from then on, `ended`.
    private let waiting = Atomic<UInt>(0)
    private static let ended: UInt = 1
    /// One for all, as few cancels meet others.
    private static let meetings = Locked(0)

    /// - Parameter outer: That of the disposable or handler that calls this.
    init(within outer: Unfinished? = ThreadState.here.unfinished) {
        self.outer = outer?.hold()
    }

    /// Both, as one: of the nodes whose results a node gets.
    static func merged(_ one: Unfinished?, _ other: Unfinished?) -> Unfinished? {
        guard let one, let other, one !== other else { return one ?? other }
        let both = Unfinished(within: nil)
        both.met = [one, other]
        _ = both.end()
        return both
    }

    // In a loop, as those that were met may have met others.
    deinit {
        if met.isEmpty { return }
        let releases = DeferredReleases.here
        releases.collect {
            for other in met { releases.add(other) }
            met = []
        }
    }

    /// Counts something that has been stopped. Requires something that counts already.
    @discardableResult
    func hold() -> Unfinished {
        own.add(1, ordering: .relaxed)
        return self
    }

    /// Ends something that counts. If it was the last, returns the waiting jobs.
    func end() -> JobList {
        var jobs = JobList()
        // A loop, because each disposable that cancels something adds a level.
        var next = Optional(self)
        while let unfinished = next, unfinished.own.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            next = unfinished.outer.take()
            if !unfinished.met.isEmpty { next?.meet(unfinished) }
            jobs.append(unfinished.takeWaiting())
        }
        return jobs
    }

    /// Ends something that counts. If it was the last, the waiting jobs run after the job in progress.
    func release() {
        let jobs = end()
        if !jobs.isEmpty { ThreadState.here.serveNext(jobs) }
    }

    /// Notes what others have stopped. Requires something that counts.
    func meet(_ other: Unfinished?) {
        guard let other, other !== self else { return }
        Self.meetings.withLock { _ in met.append(other) }
    }

    /// What has not ended of this and of what it has met, as one; nil if all has.
    var open: Unfinished? {
        if !hasEnded { return self }
        let open = openOfMet
        return open.count > 1 ? self : open.first
    }

    /// What has not ended of what this, which has ended, has met. (What an open one has met is known at its end.)
    private var openOfMet: [Unfinished] {
        Self.meetings.withLock { _ in
            var (known, open, next) = (Set([ObjectIdentifier(self)]), [Unfinished](), met)
            while let other = next.popLast() {
                guard known.insert(ObjectIdentifier(other)).inserted else { continue }
                if other.hasEnded { next += other.met } else { open.append(other) }
            }
            met = open
            return open
        }
    }

    private var hasEnded: Bool { waiting.load(ordering: .acquiring) == Self.ended }

    /// Has `job` run when what this has stopped has ended, or else one of what it has met. Returns false if all has ended.
    func add(_ job: Job) -> Bool {
        if hasEnded { return openOfMet.first?.add(job) ?? false }
        let reference = Unmanaged.passRetained(job)
        var latest = waiting.load(ordering: .acquiring)
        while latest != Self.ended {
            job.next = UnsafeRawPointer(bitPattern: latest).map { .fromOpaque($0) }
            let (isAdded, current) = waiting.compareExchange(
                expected: latest, desired: UInt(bitPattern: reference.toOpaque()), ordering: .acquiringAndReleasing)
            if isAdded { return true }
            latest = current
        }
        job.next = nil
        reference.release()
        return false
    }

    private func takeWaiting() -> JobList {
        var jobs = JobList()
        let hasMet = !met.isEmpty
        var next = waiting.exchange(Self.ended, ordering: .acquiringAndReleasing)
        // Forgets those that have ended: cancels that have met each other are a ring.
        if hasMet { _ = openOfMet }
        while let job = UnsafeRawPointer(bitPattern: next).map({ Unmanaged<Job>.fromOpaque($0) }) {
            next = job._withUnsafeGuaranteedRef { $0.next.map { UInt(bitPattern: $0.toOpaque()) } } ?? 0
            job._withUnsafeGuaranteedRef { $0.next = nil }
            jobs.prepend(JobList(first: job, last: job))
        }
        return jobs
    }
}

extension ThreadState {
    /// That of the disposable or handler in progress, made when asked for. What a loop in that runs is no part of it.
    var unfinished: Unfinished? {
        guard let stopping = storage.pointee.stopping, stopping.frame == storage.pointee.frame else { return nil }
        let unfinished = stopping.unfinished ?? Unfinished(within: nil)
        storage.pointee.stopping!.unfinished = unfinished
        return unfinished
    }

    /// Calls `body`, which disposes what a completed operation has kept. Returns what counts the work that this has stopped,
    /// if any; inside of another disposable, as a part of what counts for that.
    func stopping(_ body: () -> Void) -> Unfinished? {
        let outer = storage.pointee.stopping
        storage.pointee.stopping = (unfinished.map { Unfinished(within: $0) }, storage.pointee.frame)
        body()
        let stopped = storage.pointee.stopping!.unfinished
        storage.pointee.stopping = outer
        stopped?.release()
        return stopped
    }

    /// Calls `body`, which disposes something or calls a handler that `unfinished` counts.
    func ending(_ unfinished: Unfinished?, _ body: () -> Void) {
        guard let unfinished else { return body() }
        let outer = storage.pointee.stopping
        storage.pointee.stopping = (unfinished, storage.pointee.frame)
        body()
        storage.pointee.stopping = outer
        unfinished.release()
    }
}

extension Scheduler {
    /// Calls `body`, which disposes or cancels something, in a job of this scheduler. It counts as part of the disposable
    /// in progress.
    func asyncUnfinished(_ body: @escaping @Sendable () -> Void) {
        let unfinished = ThreadState.here.unfinished?.hold()
        async { ThreadState.here.ending(unfinished, body) }
    }
}

extension Node {
    /// What has not ended of the work that was stopped when this node, or one that it got its result from, settled.
    /// Nil if all has ended, and while this node is pending.
    var unfinished: Unfinished? {
        let word = word.load(ordering: .acquiring)
        guard word & Word.unfinished != 0, word & Word.settled != 0 else { return nil }
        // A settled node keeps it until its deinit.
        return local!.known(as: Unfinished.self)?.open
    }

    /// Keeps what is unfinished of the nodes that this one gets its result from. Returns the bit that says so.
    @inline(never)
    func keep(_ unfinished: Unfinished?) -> UInt {
        let all = Unfinished.merged(.merged(unfinished, source?.unfinished), inner?.unfinished)
        guard let open = all?.open else { return 0 }
        keep(Kept(object: open))
        // This is no count of a cancel that the end of this node's closure would end (`unfinishedOfClosure`).
        progress = .begun
        return Word.unfinished
    }

    /// Calls `body`, which must be the last step of a job, when all that was stopped has ended.
    func whenFinished(_ body: @escaping @Sendable () -> Void) {
        while let unfinished {
            if unfinished.add(ClosureJob(.following) { self.whenFinished(body) }) { return }
        }
        body()
    }

    /// Ends the closure of this node, which was cancelled meanwhile (`Progress.starting`): `other`, which the closure has
    /// returned, may be unfinished.
    func endClosure(as other: Unmanaged<Node>? = nil) {
        guard let unfinished = unfinishedOfClosure else { return }
        unfinished.meet(other?.unfinished)
        unfinished.release()
    }

    /// That of the cancel that has settled this node while its closure was running, which counts.
    var unfinishedOfClosure: Unfinished? {
        progress == .starting && isSettled ? local?.known(as: Unfinished.self) : nil
    }
}

extension Unmanaged where Instance == Node {
    /// What this node, or the one that it is linked to, has left unfinished.
    @inline(__always)
    var unfinished: Unfinished? {
        mayLeaveUnfinished ? _withUnsafeGuaranteedRef { $0.resolved.unfinished } : nil
    }

    /// Whether there may be something: one load, as each step asks.
    @inline(__always)
    var mayLeaveUnfinished: Bool {
        _withUnsafeGuaranteedRef { $0.word.load(ordering: .relaxed) & (Word.unfinished | Word.linked) != 0 }
    }
}
