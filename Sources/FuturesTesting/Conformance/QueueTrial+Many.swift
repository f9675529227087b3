// Many closures from several threads: how often, in which order, and how many at a time a queue calls them.

import Dispatch
import Futures

/// What the closures have seen.
private struct Calls {
    var counts: [Int]
    /// The latest number of each thread's closures.
    var latest: [Int]
    var runningCount = 0
    var currentCount = 0
    var endedCount = 0
    var isOverlapping = false
    var isOutOfOrder = false
}

extension QueueTrial {
    private static var threadCount: Int { 4 }
    private static var countPerThread: Int { 1000 }

    /// Enqueues closures on several threads.
    func checkMany() throws {
        let count = Self.threadCount * Self.countPerThread
        let calls = Locked(
            Calls(counts: Array(repeating: 0, count: count), latest: Array(repeating: -1, count: Self.threadCount)))
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.concurrentPerform(iterations: Self.threadCount) { thread in
            for number in 0..<Self.countPerThread {
                enqueue(number, of: thread, calls) { if $0 == count { done.signal() } }
            }
        }
        let isDone = done.wait(for: limit)
        let seen = calls.withLock { $0 }
        let missing = seen.counts.count { $0 == 0 }
        guard isDone || missing == 0 else {
            throw fail("\(missing) of \(count) closures were not called within \(limit).")
        }
        try judge(seen, of: count)
    }

    private func enqueue(
        _ number: Int, of thread: Int, _ calls: Locked<Calls>, _ ended: @escaping @Sendable (_ total: Int) -> Void
    ) {
        queue.async {
            let isCurrent = queue.isCurrent
            calls.withLock { calls in
                calls.runningCount += 1
                if calls.runningCount > 1 { calls.isOverlapping = true }
                if calls.latest[thread] >= number { calls.isOutOfOrder = true }
                calls.latest[thread] = number
                calls.counts[thread * Self.countPerThread + number] += 1
                if isCurrent { calls.currentCount += 1 }
            }
            // The time in which another closure would overlap.
            for _ in 0..<50 { _ = queue.isSerial }
            let total = calls.withLock { calls in
                calls.runningCount -= 1
                calls.endedCount += 1
                return calls.endedCount
            }
            ended(total)
        }
    }

    private func judge(_ calls: Calls, of count: Int) throws {
        if calls.counts.contains(where: { $0 > 1 }) { throw fail("A closure was called more than once.") }
        if queue.isSerial, calls.isOverlapping {
            throw fail("isSerial is true, but two closures ran at the same time.")
        }
        if queue.isSerial, calls.isOutOfOrder {
            throw fail("isSerial is true, but closures of one thread were not called in their order.")
        }
        guard calls.currentCount == 0 || calls.currentCount == count else {
            throw fail(
                "isCurrent is true in \(calls.currentCount) of \(count) closures: it must be in all, or in none.")
        }
    }
}
