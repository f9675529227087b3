// An operation keeps its turn while another thread disposes its disposable. Contract/Queues.md

import Dispatch
import Foundation
import Futures
import Testing

/// A future whose disposal blocks when another thread completes it.
private final class Blocked: Sendable {
    private let log: Log<String>
    private let completion = Shared<Future<Int>.Completion?>(nil)
    private let (made, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    private let (gate, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    init(_ log: Log<String>) { self.log = log }

    func future() -> Future<Int> {
        let future = Future<Int>(on: .immediate) { [self] completion in
            self.completion.value = completion
            return Disposer { [self] in
                log.add("disposes")
                entered.signal()
                gate.wait()
                log.add("has disposed")
            }
        }
        // Not in the closure: an operation that completes before its closure returns is disposed by the thread that
        // runs the closure.
        made.signal()
        return future
    }

    /// Completes the future on a thread of its own, and returns when that thread is in the disposable.
    func complete() {
        // A pool creates its resource first.
        made.wait()
        Thread.detachNewThread { [self] in
            completion.value?(.success(1))
            left.signal()
        }
        entered.wait()
    }

    func goOn() {
        gate.signal()
        left.wait()
    }
}

private typealias Enqueue =
    @Sendable (Log<String>, Scheduler, @escaping @Sendable () -> Future<Int>) -> Future<Int>

/// Enqueues an operation in a queue of some kind, and another operation behind it.
private let forms: [(name: String, enqueue: Enqueue)] = [
    (
        "queue",
        { log, scheduler, operation in
            let queue = FutureQueue()
            let future = queue.enqueue(on: scheduler) { operation() }
            queue.runSync(on: .immediate) { log.add("next") }
            return future
        }
    ),
    (
        "keys",
        { log, scheduler, operation in
            let queue = KeyedFutureQueue<Int>()
            let future = queue.enqueue(on: scheduler, for: 1) { operation() }
            queue.runSync(on: .immediate, for: 1) { log.add("next") }
            return future
        }
    ),
    (
        "batch",
        { log, scheduler, operation in
            let queue = FutureQueue()
            let future = queue.enqueueBatch(on: .immediate) { batch in batch.enqueue(on: scheduler) { operation() } }
            queue.runSync(on: .immediate) { log.add("next") }
            return future
        }
    ),
    (
        "pool",
        { log, scheduler, operation in
            let pool = ResourcePool(maxCount: 1) { Future(1) }
            let future = pool.enqueue(on: scheduler) { _ in operation() }
            pool.enqueue(on: .immediate) { _ in Future(log.add("next")) }
            return future
        }
    ),
    (
        "finally",
        { log, scheduler, operation in
            let queue = FutureQueue()
            let future = queue.enqueue(on: scheduler) {
                operation()
            } finally: { _ in
                Future(log.add("cleans up"))
            }
            queue.runSync(on: .immediate) { log.add("next") }
            return future
        }
    ),
    (
        "finally, keys",
        { log, scheduler, operation in
            let queue = KeyedFutureQueue<Int>()
            let future = queue.enqueue(on: scheduler, for: 1) {
                operation()
            } finally: { _ in
                Future(log.add("cleans up"))
            }
            queue.runSync(on: .immediate, for: 1) { log.add("next") }
            return future
        }
    ),
]

@Suite struct QueueDisposingTests {
    private let log = Log<String>()

    @Test(arguments: 0..<forms.count)
    func `an operation that is cancelled while its future disposes keeps its turn until the disposal returns`(
        _ form: Int
    ) async {
        for steps in 0...2 {
            let log = Log<String>()
            let blocked = Blocked(log)
            let future = forms[form].enqueue(log, .immediate) {
                var future = blocked.future()
                for _ in 0..<steps { future = future.map(on: .immediate) { $0 } }
                return future
            }
            blocked.complete()
            #expect(future.cancel())
            #expect(future.isCancelled)
            #expect(log.entries == ["disposes"], "\(forms[form].name), \(steps) steps")
            blocked.goOn()
            // A pool's operation may still be in its closure; that thread then releases the turn.
            #expect(await comesTrue { log.entries.contains("next") })
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"])
        }
    }

    @Test(arguments: 0..<forms.count)
    func `an operation that is cancelled in its closure keeps its turn while the returned future disposes`(_ form: Int)
    {
        for steps in 0...2 {
            let log = Log<String>()
            let blocked = Blocked(log)
            let own = Shared<Future<Int>?>(nil)
            let (known, called) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let scheduler = Scheduler(label: "operation")
            own.value = forms[form].enqueue(log, scheduler) {
                known.wait()
                own.value!.cancel()
                var future = blocked.future()
                for _ in 0..<steps { future = future.map(on: .immediate) { $0 } }
                blocked.complete()
                called.signal()
                return future
            }
            known.signal()
            called.wait()
            // Waits until the operation's closure has returned.
            scheduler.sync {}
            #expect(log.entries == ["disposes"], "\(forms[form].name), \(steps) steps")
            blocked.goOn()
            // The cleanup runs on this scheduler.
            scheduler.sync {}
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"])
        }
    }

    @Test func `an operation whose future has other listeners releases its turn when it is cancelled`() {
        let blocked = Blocked(log)
        let future = forms[0].enqueue(log, .immediate) { [log] in
            let future = blocked.future()
            future.onResult(on: .immediate) { _ in log.add("other") }
            return future
        }
        blocked.complete()
        #expect(future.cancel())
        #expect(log.entries == ["disposes", "next"])
        blocked.goOn()
        #expect(log.entries == ["disposes", "next", "has disposed", "other"])
    }
}
