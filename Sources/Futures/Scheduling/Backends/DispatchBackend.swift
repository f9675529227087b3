// DispatchBackend: a scheduler's dispatch queue, and the jobs that wait in it.

internal import Dispatch
internal import Synchronization

/// Runs jobs on a dispatch queue. They wait in a list beside the queue, from which each block takes the first one.
///
/// So all blocks are the same object. A closure for each job would need two allocations, its context and its block.
///
/// On a concurrent queue, the jobs of one strand share a block.
final class DispatchBackend: SchedulerBackend {
    private struct State {
        var jobs = JobList()
        /// Set while there are jobs, because there may be no other reference to it.
        var scheduler: Scheduler?
        var strands = Strands()

        mutating func add(_ job: JobList, for scheduler: Scheduler) {
            jobs.append(job)
            if self.scheduler == nil { self.scheduler = scheduler }
        }
    }

    private let state: Locked<State>
    private let queue: DispatchQueue
    let isSerial: Bool
    /// Main-actor code runs on the main queue.
    let isIsolating: Bool
    private let mark: Mark
    /// The block that is submitted for each job: created once, so that a hop allocates only what Dispatch itself does.
    private let block: @Sendable @convention(block) () -> Void

    /// The identity of a queue: on Linux, `DispatchQueue.main` returns another object at each call. Its lock keeps the
    /// jobs in order that are submitted to the queue.
    // Not a `Locked<Void>`: the thread sanitizer reports accesses to a value without a size as races.
    private typealias Mark = Locked<Int>

    /// Set on every queue that a scheduler wraps, to recognize blocks that the user submits to the queue.
    /// `Thread.isMainThread` would be slower, and is wrong on Linux once an async main function has suspended.
    private static let key = DispatchSpecificKey<Mark>()

    /// Two threads that wrap the same queue must not both mark it.
    private static let marking = Mark(0)

    init(_ queue: DispatchQueue, isSerial: Bool, isMain: Bool = false) {
        let state = Locked(State())
        self.state = state
        self.queue = queue
        self.isSerial = isSerial
        block = { Self.runFirst(of: state, isSerial: isSerial) }
        mark = Self.marking.withLock { _ in
            if let known = queue.getSpecific(key: Self.key) { return known }
            let mark = Mark(0)
            queue.setSpecific(key: Self.key, value: mark)
            return mark
        }
        // Without the lock, because this may create `Scheduler.main`.
        isIsolating = isMain || Scheduler.main.identity == ObjectIdentifier(mark)
    }

    var description: String { queue.label }
    var identity: ObjectIdentifier { ObjectIdentifier(mark) }
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) === mark }

    func enqueue(_ job: Job, for scheduler: Scheduler) {
        // Under one lock, so that jobs and blocks are in the same order. Otherwise, a block could run the job of another
        // thread that has not submitted its own block yet: the block's own job would be left to that block, behind what
        // its thread submits next. Not the lock of the state, which the block takes: it may run before `async` has
        // returned.
        mark.withLock { _ in
            let needsBlock = state.withLock { state in
                guard isSerial || state.strands.admit(job) else { return false }
                state.add(JobList(job), for: scheduler)
                return true
            }
            if needsBlock { queue.submit(isSerial: isSerial, block) }
        }
    }

    func sync(for scheduler: Scheduler, _ work: () -> Void) {
        queue.sync(execute: work)
    }
}

extension DispatchBackend {
    private static func runFirst(of state: Locked<State>, isSerial: Bool) {
        let (job, scheduler) = state.withLock { state in
            let job = state.jobs.takeFirst()
            return (job, state.jobs.isEmpty ? state.scheduler.take() : state.scheduler)
        }
        guard let scheduler else { return }
        guard !isSerial, let strand = job.firstJob?.strand else { return scheduler.run(job) }
        run(job, in: strand, scheduler, state)
    }

    private static func run(
        _ first: consuming JobList, in strand: UInt, _ scheduler: Scheduler, _ state: Locked<State>
    ) {
        let thread = ThreadState.here
        var job = first
        repeat {
            thread.storage.pointee.strand = (strand, scheduler)
            scheduler.run(job.take())
            // A wait has passed the strand on.
            guard thread.storage.pointee.strand.take() != nil else { return }
            job = state.withLock { $0.strands.next(in: strand) }
        } while !job.isEmpty
    }

    /// Has another block run the next jobs of a strand.
    fileprivate func passOn(_ strand: UInt, for scheduler: Scheduler) {
        let isNeeded = state.withLock { state in
            let next = state.strands.next(in: strand)
            if !next.isEmpty { state.add(next, for: scheduler) }
            return !next.isEmpty
        }
        if isNeeded { queue.submit(isSerial: false, block) }
    }
}

extension ThreadState {
    /// Has another thread run the jobs that wait for the end of the one in progress, because this thread is about to
    /// wait, perhaps for one of them.
    func passStrandOn() {
        guard let (strand, scheduler) = storage.pointee.strand.take() else { return }
        (scheduler.realBackend as? DispatchBackend)?.passOn(strand, for: scheduler)
    }
}
