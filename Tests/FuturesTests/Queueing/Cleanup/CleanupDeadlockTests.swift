// Operations and cleanups that would wait for themselves.

import Futures
import FuturesTesting
import Testing

@Suite struct CleanupDeadlockTests {
    private let log = Log<String>()
    private let time = VirtualTime()

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
        _ = queue.on(.immediate).run { [log] in log.add("next") }
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
}
