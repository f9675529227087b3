// Inbox: the jobs of a dispatch queue's blocks.

internal import Dispatch

/// The jobs that wait in a dispatch queue: a list beside the queue, from which each block takes the first job.
///
/// So all blocks are the same object. A closure for each job would need two allocations, its context and its block.
///
/// A job must be added, and its block submitted, under one lock, so that both are in the same order. Otherwise, a block
/// could run the job of another thread that has not submitted its own block yet: the block's own job would be left to
/// that block, behind what its thread submits next.
///
/// On a concurrent queue, the jobs of one strand share a block.
final class Inbox: Sendable {
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

    private let state = Locked(State())
    private let queue: DispatchQueue
    private let isSerial: Bool
    private let isInactive: Bool

    init(_ queue: DispatchQueue, isSerial: Bool, isInactive: Bool) {
        self.queue = queue
        self.isSerial = isSerial
        self.isInactive = isInactive
    }

    // Dispatch aborts the process, without a message, when a queue is released that was never activated.
    deinit { activate() }

    /// Activates a queue that was created inactive.
    func activate() {
        if isInactive { queue.activate() }
    }

    /// Returns whether the job needs a block.
    func add(_ job: Job, for scheduler: Scheduler) -> Bool {
        state.withLock { state in
            guard isSerial || state.strands.admit(job) else { return false }
            state.add(JobList(job), for: scheduler)
            return true
        }
    }

    func runFirst() {
        let (job, scheduler) = state.withLock { state in
            let job = state.jobs.takeFirst()
            return (job, state.jobs.isEmpty ? state.scheduler.take() : state.scheduler)
        }
        guard let scheduler else { return }
        guard !isSerial, let strand = job.firstJob?.strand else { return scheduler.run(job) }
        run(job, in: strand, scheduler)
    }

    private func run(_ first: consuming JobList, in strand: UInt, _ scheduler: Scheduler) {
        let thread = ThreadState.here
        var job = first
        repeat {
            thread.storage.pointee.strand = (strand, self, scheduler)
            scheduler.run(job.take())
            // A wait has passed the strand on.
            guard thread.storage.pointee.strand.take() != nil else { return }
            job = state.withLock { $0.strands.next(in: strand) }
        } while !job.isEmpty
    }

    /// Has another block run the next jobs of a strand.
    func passOn(_ strand: UInt, for scheduler: Scheduler) {
        let isNeeded = state.withLock { state in
            let next = state.strands.next(in: strand)
            if !next.isEmpty { state.add(next, for: scheduler) }
            return !next.isEmpty
        }
        if isNeeded { queue.submit(isSerial: false) { self.runFirst() } }
    }
}
