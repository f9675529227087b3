// Blocked: a future whose disposal blocks, and operations of all kinds of queues that return it.

import Dispatch
import Foundation
import Futures

/// A future whose disposal blocks when another thread completes it.
final class Blocked: Sendable {
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
    func complete() { isDisposed { self.completion.value?(.success(1)) } }

    /// Calls `body`, which ends the future, on a thread of its own, and returns when that thread is in the disposable;
    /// false if it does not come there.
    @discardableResult
    func isDisposed(by body: @escaping @Sendable () -> Void) -> Bool {
        // The operation may start on another scheduler.
        made.wait()
        Thread.detachNewThread { [self] in
            body()
            left.signal()
        }
        return entered.wait(timeout: .testTimeout) == .success
    }

    func goOn() {
        gate.signal()
        left.wait()
    }
}

typealias EnqueueBlocked =
    @Sendable (Log<String>, Scheduler, @escaping @Sendable () -> Future<Int>) -> Future<Int>

/// Enqueues an operation in a queue of some kind, and another operation behind it.
let disposingForms: [(name: String, enqueue: EnqueueBlocked)] = [
    (
        "queue",
        { log, scheduler, operation in
            let queue = FutureQueue()
            let future = queue.on(scheduler).enqueue { operation() }
            _ = queue.on(.immediate).run { log.add("next") }
            return future
        }
    ),
    (
        "keys",
        { log, scheduler, operation in
            let queue = KeyedFutureQueue<Int>()
            let future = queue[1].on(scheduler).enqueue { operation() }
            _ = queue[1].on(.immediate).run { log.add("next") }
            return future
        }
    ),
    (
        "batch",
        { log, scheduler, operation in
            let queue = FutureQueue()
            let future = queue.on(.immediate).batch().enqueue { batch in batch.on(scheduler).enqueue { operation() } }
            _ = queue.on(.immediate).run { log.add("next") }
            return future
        }
    ),
    (
        "pool",
        { log, scheduler, operation in
            // In place, so that the operation has returned its future when this returns, as in the other forms.
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
            let future = pool.on(scheduler).enqueue { _ in operation() }
            pool.on(.immediate).enqueue { _ in Future(log.add("next")) }
            return future
        }
    ),
    (
        "finally",
        { log, scheduler, operation in
            let queue = FutureQueue()
            let future = queue.on(scheduler).enqueue {
                operation()
            } finally: { _, _ in
                Future(log.add("cleans up"))
            }
            _ = queue.on(.immediate).run { log.add("next") }
            return future
        }
    ),
    (
        "finally, keys",
        { log, scheduler, operation in
            let queue = KeyedFutureQueue<Int>()
            let future = queue[1].on(scheduler).enqueue {
                operation()
            } finally: { _, _ in
                Future(log.add("cleans up"))
            }
            _ = queue[1].on(.immediate).run { log.add("next") }
            return future
        }
    ),
]
