// Operation queues and futures. Contract/Foundation.md

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct OperationQueueTests {
    private func queue() -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    @Test func `a block of an operation queue has a future of what it returns or throws`() async throws {
        let queue = queue()
        #expect(try await queue.asyncFuture { OperationQueue.current != nil }.value)
        #expect(await queue.asyncFuture { throw Oops() }.failure() is Oops)
    }

    @Test func `operations that the queue cancels fail their futures`() async throws {
        let queue = queue()
        queue.isSuspended = true
        let block = queue.asyncFuture { 1 }
        queue.cancelAllOperations()
        queue.isSuspended = false
        #expect(await block.failure() is CancellationError)
    }

    @Test func `an operation has a future of its end, also if it has finished or is cancelled`() async throws {
        let queue = queue()
        queue.isSuspended = true
        let (first, second) = (BlockOperation {}, BlockOperation {})
        let (future, other) = (first.future(), second.future())
        for operation in [first, second] { queue.addOperation(operation) }
        second.cancel()
        #expect(!future.isCompleted)
        queue.isSuspended = false
        try await future.value
        #expect(await other.failure() is CancellationError)
        try await first.future().value
    }

    @Test func `cancelling the future of an operation cancels the operation`() async throws {
        let operation = BlockOperation {}
        let future = operation.future()
        future.cancel()
        #expect(operation.isCancelled)
        operation.start()
        #expect(operation.isFinished)
    }
}
