// AwaitingOperation: for which operation of a queue a task awaits futures, for diagnosing.

/// The operation of a queue that a task runs, if it was recorded. Child tasks inherit it.
struct AwaitingOperation: Sendable {
    @TaskLocal static var current: AwaitingOperation?

    let operation: WeakReference
    /// The operation's own task.
    private let task = identityOfTask

    private static var identityOfTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// Whether the calling task is the operation's own, and not a child of it.
    var isOfThisTask: Bool { task == Self.identityOfTask }

    /// The operation whose job the calling thread runs, while `Recording` is on.
    static var ofThread: WeakReference? {
        guard Recording.isOn else { return nil }
        return ThreadState.here.runningNodes.first { $0.queued != nil }.map { WeakReference(Inspected(exactly: $0)) }
    }

    /// Calls `body` as the task of `operation`.
    static func run<T: Sendable>(
        _ operation: WeakReference?, _ body: @Sendable () async throws -> T
    ) async throws -> T {
        guard let operation else { return try await body() }
        return try await $current.withValue(AwaitingOperation(operation: operation)) { try await body() }
    }
}
