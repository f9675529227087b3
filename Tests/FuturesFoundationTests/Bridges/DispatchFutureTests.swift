// Dispatch: futures of blocks, work items and groups. Contract/Dispatch.md

import Dispatch
import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct DispatchFutureTests {
    private let queue = DispatchQueue(label: "queue")

    @Test func `a queue's future has the value that its block returns or the error that it throws`() async throws {
        let queue = queue
        let value = queue.asyncFuture { Scheduler.current }
        #expect(try await value.value == Scheduler(queue: queue))
        let failed = queue.asyncFuture { throw Oops() }
        await #expect(throws: Oops()) { try await failed.value }
    }

    @Test func `a block whose future is cancelled before it starts never starts`() async {
        queue.suspend()
        let isBegun = Locked(false)
        let future = queue.asyncFuture { isBegun.withLock { $0 = true } }
        future.cancel()
        queue.resume()
        queue.sync {}
        #expect(future.isCancelled && !isBegun.withLock { $0 })
    }

    @Test func `a group's future completes even if all threads of the global queues wait for it`() async {
        await #expect(processExitsWith: .success) { expectPastBlockedThreads() }
    }

    @Test func `a group's future completes when the group is empty`() async throws {
        let group = DispatchGroup()
        try await group.future().value
        let (promise, stopped) = (Promise<Int>(), Promise<Int>())
        group.add(promise.future)
        group.add(stopped.future)
        let empty = group.future()
        promise.succeed(1)
        #expect(!empty.isCompleted)
        stopped.future.cancel()
        #expect(stopped.future.isCancelled, "the group does not count as a listener")
        try await empty.value
    }

    @Test func `cancelling the future of a running block, or of a group, stops nothing`() {
        let (gate, group, isDone) = (DispatchSemaphore(value: 0), DispatchGroup(), Locked(false))
        let begun = DispatchSemaphore(value: 0)
        let block = queue.asyncFuture {
            begun.signal()
            gate.wait()
            isDone.withLock { $0 = true }
        }
        group.enter()
        let left = group.future()
        begun.wait()
        left.cancel()
        block.cancel()
        #expect(left.isCancelled && block.isCancelled)
        let all = group.future()
        gate.signal()
        queue.sync {}
        #expect(isDone.withLock { $0 } && !all.isCompleted)
        group.leave()
        #expect(throws: Never.self) { try all.wait(timeout: .seconds(600)) }
    }
}

/// Makes all threads of the global queues wait for a group; ends the process if that deadlocks.
private func expectPastBlockedThreads() {
    let (group, waiting) = (DispatchGroup(), DispatchGroup())
    group.enter()
    let left = group.future()
    for _ in 0..<300 { DispatchQueue.global().async(group: waiting) { _ = try? left.wait() } }
    group.leave()
    if waiting.wait(timeout: .now() + 600) == .timedOut { exit(1) }
}
