// DispatchBackend: a scheduler's dispatch queue.

internal import Dispatch

/// Runs each job in a block of a dispatch queue. On a concurrent queue, the jobs of one strand share a block.
final class DispatchBackend: SchedulerBackend {
    private let queue: DispatchQueue
    let isSerial: Bool
    let isMain: Bool
    private let mark: Mark
    /// Of each strand with a job in a block, those that wait behind that.
    fileprivate let strands = Locked<[UInt: JobList]>([:])

    /// The identity of a queue: on Linux, `DispatchQueue.main` returns another object at each call.
    // Not a `Locked<Void>`: the thread sanitizer reports accesses to a value without a size as races.
    private typealias Mark = Locked<Int>

    /// Set on every queue that a scheduler wraps, to recognize blocks that the user submits there.
    // `Thread.isMainThread` would be slower, and is wrong on Linux once an async main function has suspended.
    private static let key = DispatchSpecificKey<Mark>()

    // Two threads that wrap the same queue must not both mark it.
    private static let marking = Mark(0)

    init(_ queue: DispatchQueue, isSerial: Bool, isMain: Bool = false) {
        self.queue = queue
        self.isSerial = isSerial
        mark = Self.marking.withLock { _ in
            if let known = queue.getSpecific(key: Self.key) { return known }
            let mark = Mark(0)
            queue.setSpecific(key: Self.key, value: mark)
            return mark
        }
        // Without the lock, because this may create `Scheduler.main`.
        self.isMain = isMain || Scheduler.main.identity == ObjectIdentifier(mark)
    }

    var description: String { queue.label }
    var identity: ObjectIdentifier { ObjectIdentifier(mark) }
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) === mark }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) {
        // A list, so that the block does not retain the job, and with it the result of a step that passes it on.
        let (jobs, strand) = (JobList(job), isSerial ? nil : job.strand)
        guard let strand else { return queue.submit(isSerial: isSerial) { scheduler.run(jobs) } }
        if !strands.withLock({ $0[strand].add(jobs) }) { submit(jobs, in: strand, for: scheduler) }
    }

    func sync(for scheduler: Scheduler, _ work: () -> Void) {
        queue.sync(execute: work)
    }

    /// Has a block run jobs of a strand until none waits.
    fileprivate func submit(_ first: JobList, in strand: UInt, for scheduler: Scheduler) {
        queue.submit(isSerial: false) { [self] in
            let thread = ThreadState.here
            var jobs = first
            while !jobs.isEmpty {
                thread.storage.pointee.strand = (strand, scheduler)
                scheduler.run(jobs)
                // A wait has passed the strand on.
                guard thread.storage.pointee.strand.take() != nil else { return }
                jobs = strands.withLock { $0[strand].next() }
            }
        }
    }
}

extension ThreadState {
    /// Has another thread run the next jobs of the strand, because this thread is about to wait, perhaps for one of
    /// them.
    func passStrandOn() {
        guard let (strand, scheduler) = storage.pointee.strand.take(),
            let backend = scheduler.realBackend as? DispatchBackend
        else { return }
        let next = backend.strands.withLock { $0[strand].next() }
        if !next.isEmpty { backend.submit(next, in: strand, for: scheduler) }
    }
}
