// Operations and cleanups that would wait for themselves.

import Futures
import FuturesTesting
import Testing

@Suite struct CleanupDeadlockTests {
    private let log = Log<String>()
    private let time = VirtualTime()

    /// Expects that `operation`, which returns its own future, fails and is cleaned up.
    private func expectFailure(_ operation: (@escaping @Sendable () -> Future<Int>) -> Future<Int>) {
        let own = Shared<Future<Int>?>(nil)
        let future = operation { own.value! }
        own.value = future
        time.run()
        own.value = nil
        if case FutureError.awaitsItself? = future.error {} else { Issue.record("it has \(future.result as Any)") }
        #expect(log.entries == ["cleans up"])
    }

    @Test func `an operation with a cleanup that returns its own future fails and is cleaned up`() {
        let queue = FutureQueue()
        expectFailure {
            queue.on(time.scheduler).enqueue($0) { [log] _, _ in Future(log.add("cleans up")) }
        }
        #expect(queue.isEmpty)
    }

    @Test func `a batch with a cleanup that returns its own future fails and is cleaned up`() {
        let queue = FutureQueue()
        expectFailure { operation in
            queue.on(time.scheduler).batch().enqueue { _ in
                operation()
            } finally: { [log] _, _ in
                Future(log.add("cleans up"))
            }
        }
        #expect(queue.isEmpty)
    }

    // The returned future has another listener, so it continues when the operation fails.
    @Test func `an operation that waits for one behind it is cleaned up even if that one continues`() {
        for ends in ["as a deadlock", "by a cancel"] {
            let (queue, start, behind) = (FutureQueue(), Promise<Void>(), Shared<Future<Int>?>(nil))
            let log = Log<String>()
            queue.on(.immediate).enqueue { start.future }
            let first = queue.on(.immediate).enqueue {
                behind.value!
            } finally: { _, _ in
                Future(log.add("cleans up"))
            }
            behind.value = queue.on(.immediate).enqueue { Future(2) }
            behind.value!.onValue(on: .immediate) { _ in log.add("the other one") }
            if ends == "by a cancel" { start.future.onValue(on: .immediate) { first.cancel() } }
            start.succeed()
            expectDeadlocks { queue.isEmpty }
            #expect(first.error != nil)
            #expect(behind.value!.success == 2)
            #expect(queue.isEmpty)
            #expect(ends == "by a cancel" || log.entries == ["cleans up", "the other one"])
        }
    }

    @Test func `a cleanup that waits for an operation behind its own fails, and the error names both`() {
        let operation = Promise<Int>()
        let queue = FutureQueue()
        let errors = Log<any Error>()
        queue.onCleanupFailure { errors.add($0) }
        let line: UInt = #line + 1
        let future = queue.on(.immediate).enqueue {
            operation.future
        } finally: { [log] _, _ in
            queue.on(.immediate).enqueue { Future(log.add("behind")) }.map(on: .immediate) { $0 }
        }
        queue.on(.immediate).run { [log] in log.add("next") }
        operation.succeed(1)
        guard case QueueError.deadlock(let running, let waiting)? = future.error else {
            Issue.record("\(String(describing: future.result))")
            return
        }
        #expect(running.line == line)
        #expect(waiting.line == line + 3)
        #expect(errors.count == 1)
        #expect(log.entries == ["next"])
        #expect(queue.isEmpty)
    }

    @Test func `a cleanup that waits for an operation behind its own fails even if its future is cancelled`() {
        let queue = KeyedFutureQueue<Int>()
        let errors = Log<any Error>()
        queue.onCleanupFailure { errors.add($0) }
        let future = queue[1].on(.immediate).enqueue {
            Promise<Int>().future
        } finally: { [log] _, _ in
            queue[1].on(.immediate).enqueue { Future(log.add("behind")) }
        }
        queue[1].on(.immediate).run { [log] in log.add("next") }
        future.cancel()
        if case QueueError.deadlock? = errors.entries.first {} else { Issue.record("\(errors.entries)") }
        #expect(log.entries == ["next"])
        #expect(queue.isEmpty)
    }

    @Test(arguments: [1, 3]) func `a cleanup that waits for its own queue to be empty fails`(_ count: Int) {
        let queue = FutureQueue(maxConcurrentCount: count)
        let future = queue.on(.immediate).enqueue(file: "here", line: 1) {
            Future(1)
        } finally: { _, _ in
            queue.drained().map(on: .immediate) { $0 }
        }
        let here = FutureError.SourceLocation("here", line: 1)
        #expect(future.error as? QueueError == .deadlock(running: here, waiting: here))
        #expect(queue.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a cleanup whose wait has a time limit does not fail as a deadlock`(isDirect: Bool) {
        let (queue, other, gate) = (FutureQueue(), FutureQueue(), Promise<Void>())
        let behind = Shared<Future<Void>?>(nil)
        let first = queue.on(.immediate).enqueue {
            gate.future
        } finally: { [time] _, _ in
            let wait = other.on(time.scheduler).enqueue(with: .runTimeout(.seconds(1))) { behind.value! }
            return isDirect ? wait : wait.map(on: .immediate) { $0 }
        }
        behind.value = queue.on(.immediate).enqueue { Future() }
        gate.succeed()
        time.run()
        #expect(!first.isCompleted)
        time.advance(by: .seconds(1))
        #expect(first.error as? QueueError == .runTimedOut(after: .seconds(1)))
        behind.value = nil
    }

    @Test func `a cleanup can wait for an operation of its queue that can run concurrently`() {
        let operation = Promise<Int>()
        let queue = FutureQueue(maxConcurrentCount: 2)
        let future = queue.on(.immediate).enqueue {
            operation.future
        } finally: { [log] _, _ in
            queue.on(.immediate).enqueue { Future(log.add("beside")) }
        }
        let other = Promise<Int>()
        queue.on(.immediate).enqueue { other.future }
        operation.succeed(1)
        #expect(!future.isCompleted)
        other.succeed(1)
        #expect(future.success == 1)
        #expect(log.entries == ["beside"])
    }
}
