// QueueTrial: tries a queue with closures from several threads.

import Dispatch
import Futures

/// A queue on trial. Each check throws at the first requirement that the queue does not meet.
struct QueueTrial<Queue: ExecutionQueue>: Sendable {
    let queue: Queue
    let limit: Duration
    private let file: StaticString
    private let line: UInt

    init(_ queue: Queue, _ limit: Duration, _ file: StaticString, _ line: UInt) {
        self.queue = queue
        self.limit = limit
        self.file = file
        self.line = line
    }

    func run() throws {
        try checkIdentity()
        try checkCall()
        try checkInProgress()
        try checkNested()
        try checkRelease()
        try checkMany()
    }

    func fail(_ words: String) -> ExpectationFailed { ExpectationFailed("\(queue.label): \(words)", file, line) }

    /// Throws unless there is a signal before the limit.
    func await(_ signal: DispatchSemaphore, _ words: @autoclosure () -> String) throws {
        if !signal.wait(for: limit) { throw fail(words()) }
    }

    private func checkIdentity() throws {
        // Retained, so that another object has another address.
        let first = queue.identifyingObject
        guard first === queue.identifyingObject else {
            throw fail("identifyingObject is another object each time.")
        }
        if queue.isCurrent { throw fail("isCurrent is true in code that does not run on the queue.") }
    }

    private func checkCall() throws {
        let (called, hasReturned) = (DispatchSemaphore(value: 0), Locked(false))
        let caller = ThreadState.here.identity
        let isInside = Locked(false)
        queue.async {
            if ThreadState.here.identity == caller, !hasReturned.withLock({ $0 }) {
                isInside.withLock { $0 = true }
            }
            called.signal()
        }
        hasReturned.withLock { $0 = true }
        try self.await(called, "A closure was not called within \(limit).")
        if isInside.withLock({ $0 }) { throw fail("async(_:) called the closure before it returned.") }
    }

    /// Enqueues another closure while one is in progress. On other threads, as the queue might block them.
    private func checkInProgress() throws {
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ended = DispatchSemaphore(value: 0)
        let isCalled = Locked(false)
        let hasReturned = enqueueElsewhere {
            // A queue that calls it twice would wait forever.
            let isSecond = isCalled.withLock { isCalled in
                defer { isCalled = true }
                return isCalled
            }
            if isSecond { return }
            begun.signal()
            goOn.wait(for: .seconds(3600))
            ended.signal()
        }
        try self.await(begun, "A closure was not called within \(limit).")
        let (isCurrent, called) = (queue.isCurrent, DispatchSemaphore(value: 0))
        let doesNotWait = hasReturned.wait(for: limit) && enqueueElsewhere { called.signal() }.wait(for: limit)
        let isOverlapping = doesNotWait && queue.isSerial && called.wait(for: .milliseconds(50))
        goOn.signal()
        ended.wait(for: limit)
        guard doesNotWait else { throw fail("async(_:) waits until the closure in progress has returned.") }
        if isOverlapping { throw fail("isSerial is true, but two closures ran at the same time.") }
        try self.await(called, "A closure that was enqueued while another one was in progress was not called.")
        if isCurrent { throw fail("isCurrent is true on another thread while a closure is in progress.") }
    }

    /// Returns what is signaled when `async` has returned.
    private func enqueueElsewhere(_ work: @escaping @Sendable () -> Void) -> DispatchSemaphore {
        let returned = DispatchSemaphore(value: 0)
        DispatchQueue(label: "expectConforms").async {
            queue.async(work)
            returned.signal()
        }
        return returned
    }

    /// Enqueues a closure in a closure.
    private func checkNested() throws {
        let (called, isNested) = (DispatchSemaphore(value: 0), Locked(false))
        queue.async {
            let isInside = Locked(true)
            queue.async {
                if queue.isSerial, isInside.withLock({ $0 }) { isNested.withLock { $0 = true } }
                called.signal()
            }
            isInside.withLock { $0 = false }
        }
        try self.await(called, "A closure that a closure enqueued was not called within \(limit).")
        if isNested.withLock({ $0 }) {
            throw fail("A closure was called inside of another one, which had enqueued it.")
        }
    }

    private func checkRelease() throws {
        let called = DispatchSemaphore(value: 0)
        weak let captured = enqueueCapturing(called)
        try self.await(called, "A closure was not called within \(limit).")
        guard comesTrue({ captured == nil }) else { throw fail("A closure was not released after its call.") }
    }

    private func enqueueCapturing(_ called: DispatchSemaphore) -> CapturedObject {
        let captured = CapturedObject()
        queue.async { withExtendedLifetime(captured) { _ = called.signal() } }
        return captured
    }

    /// Returns whether `condition` becomes true before the limit.
    func comesTrue(_ condition: () -> Bool) -> Bool {
        let (end, pause) = (ContinuousClock.now + limit, DispatchSemaphore(value: 0))
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            pause.wait(for: .milliseconds(1))
        }
        return true
    }
}

/// An object that tells when a closure is released.
final class CapturedObject: Sendable {}
