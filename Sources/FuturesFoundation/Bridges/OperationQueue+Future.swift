// OperationQueue: futures of its blocks and operations.

import Foundation
import Futures

extension OperationQueue {
    /// Adds a block, and returns a future of what it returns.
    ///
    /// Cancelling the future prevents the block from starting, and does not stop it once it runs. If the operation is
    /// cancelled by the queue, the future fails with a `CancellationError`. Each repetition adds the block again.
    ///
    /// - Parameters:
    ///   - priority: The priority among the operations of the queue.
    ///   - body: The block. An error that it throws fails the future.
    public func asyncFuture<Value>(
        priority: Operation.QueuePriority = .normal, file: StaticString = #fileID, line: UInt = #line,
        execute body: @escaping @Sendable () throws -> Value
    ) -> Future<Value> {
        Future(on: .immediate, file: file, line: line) { [self] completion in
            let operation = BlockOperation { completion(Result { try body() }) }
            operation.queuePriority = priority
            // Called for an operation that was cancelled too; otherwise the block has called the completion before.
            operation.completionBlock = { completion(.failure(CancellationError())) }
            addOperation(operation)
            return Disposer { operation.cancel() }
        }
    }
}

extension Operation {
    /// Returns a future that succeeds when the operation has finished, and fails with a `CancellationError` if it was
    /// cancelled.
    ///
    /// Cancelling the future cancels the operation. The future retains the operation until it completes. A repetition
    /// does not run the operation again.
    public func future(file: StaticString = #fileID, line: UInt = #line) -> Future<Void> {
        Future(on: .immediate, file: file, line: line) { [self] completion in
            let end = BlockOperation { [self] in
                completion(isCancelled ? .failure(CancellationError()) : .success(()))
            }
            end.addDependency(self)
            Self.ends.addOperation(end)
            return Disposer { [self] in cancel() }
        }
    }

    /// Runs the ends of other operations. It has no limit, so that a callback that blocks delays no other.
    private static let ends = OperationQueue()
}
