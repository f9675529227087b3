// DispatchBackend: a scheduler's dispatch queue.

internal import Dispatch
internal import Synchronization

/// Runs jobs on a dispatch queue.
struct DispatchBackend: SchedulerBackend {
    let queue: DispatchQueue
    let isSerial: Bool
    /// Main-actor code runs on the main queue.
    let isIsolating: Bool
    private let mark: Mark
    private let inbox: Inbox
    /// The block that is submitted for each job: created once, so that a hop allocates only what Dispatch itself does.
    private let block: @Sendable @convention(block) () -> Void

    /// The identity of a queue: on Linux, `DispatchQueue.main` returns another object at each call. Its value is the
    /// number of jobs that were submitted to the queue, its lock keeps them in order.
    private typealias Mark = Locked<Int>

    /// Set on every queue that a scheduler wraps, to recognize blocks that the user submits to the queue.
    /// `Thread.isMainThread` would be slower, and is wrong on Linux once an async main function has suspended.
    private static let key = DispatchSpecificKey<Mark>()

    /// The number of marked queues. The lock is what matters: two threads that wrap the same queue must not both mark
    /// it.
    // Not a `Locked<Void>`: the thread sanitizer reports accesses to a value without a size as races.
    private static let markedCount = Locked(0)

    init(_ queue: DispatchQueue, isSerial: Bool, isInactive: Bool = false, isMain: Bool = false) {
        self.queue = queue
        self.isSerial = isSerial
        let inbox = Inbox(queue, isSerial: isSerial, isInactive: isInactive)
        self.inbox = inbox
        block = { inbox.runFirst() }
        mark = Self.markedCount.withLock { count in
            if let known = queue.getSpecific(key: Self.key) { return known }
            let mark = Mark(0)
            queue.setSpecific(key: Self.key, value: mark)
            count += 1
            return mark
        }
        // Without the lock, because this may create `Scheduler.main`.
        isIsolating = isMain || Scheduler.main.identity == ObjectIdentifier(mark)
    }

    var description: String { queue.label }
    var identity: ObjectIdentifier { ObjectIdentifier(mark) }
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) === mark }

    func activate() { inbox.activate() }

    func enqueue(_ job: Job, for scheduler: Scheduler) {
        // Not the inbox's lock, which the block takes. It may run before `async` has returned.
        mark.withLock { count in
            guard inbox.add(job, for: scheduler) else { return }
            count &+= 1
            queue.submit(isSerial: isSerial, block)
        }
    }

    func sync(for scheduler: Scheduler, _ work: () -> Void) {
        queue.sync(execute: work)
    }
}
