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

    /// The identity of a queue: on Linux, `DispatchQueue.main` returns another object at each call. Its lock keeps the
    /// jobs in order that are submitted to the queue.
    // Not a `Locked<Void>`: the thread sanitizer reports accesses to a value without a size as races.
    private typealias Mark = Locked<Int>

    /// Set on every queue that a scheduler wraps, to recognize blocks that the user submits to the queue.
    /// `Thread.isMainThread` would be slower, and is wrong on Linux once an async main function has suspended.
    private static let key = DispatchSpecificKey<Mark>()

    /// Two threads that wrap the same queue must not both mark it.
    private static let marking = Mark(0)

    init(_ queue: DispatchQueue, isSerial: Bool, isInactive: Bool = false, isMain: Bool = false) {
        self.queue = queue
        self.isSerial = isSerial
        let inbox = Inbox(queue, isSerial: isSerial, isInactive: isInactive)
        self.inbox = inbox
        block = { inbox.runFirst() }
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

    func activate() { inbox.activate() }

    func enqueue(_ job: Job, for scheduler: Scheduler) {
        // Not the inbox's lock, which the block takes. It may run before `async` has returned.
        mark.withLock { _ in
            if inbox.add(job, for: scheduler) { queue.submit(isSerial: isSerial, block) }
        }
    }

    func sync(for scheduler: Scheduler, _ work: () -> Void) {
        queue.sync(execute: work)
    }
}
