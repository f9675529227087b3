// AwaitingOperation: for which operation of a queue a task awaits futures.

import Futures

/// The operation of a queue that a task runs, if it was recorded. Child tasks inherit it.
struct AwaitingOperation: Sendable {
    @TaskLocal static var current: AwaitingOperation?

    private let operation: WeakReference
    /// The operation's own task.
    private let task = identityOfTask

    private static var identityOfTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// Calls `body` as the task of `operation`.
    static func run<T: Sendable>(
        _ operation: WeakReference, _ body: @Sendable () async throws -> T
    ) async throws -> T {
        try await $current.withValue(AwaitingOperation(operation: operation)) { try await body() }
    }

    /// Notes that the calling task waits for `node`, until what this returns is disposed.
    func wait(for node: Node) -> OperationWait? {
        operation.node.map { OperationWait(of: [$0], for: node, isByChild: task != Self.identityOfTask) }
    }
}
