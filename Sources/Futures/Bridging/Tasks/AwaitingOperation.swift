// AwaitingOperation: for which operation of a queue a task awaits futures, for diagnosing.

/// The operation of a queue that the current task runs, if it was recorded.
enum AwaitingOperation {
    @TaskLocal static var current: WeakReference?

    /// The operation whose job the calling thread runs, while `Recording` is on.
    static var ofThread: WeakReference? {
        guard Recording.isOn else { return nil }
        var found: Node?
        ThreadState.here.forEachRunning { job in
            if found == nil, let node = job as? Node, node.queued != nil { found = node }
        }
        return found.map { WeakReference($0) }
    }

    /// Calls `body` as the task of `operation`.
    static func run<T: Sendable>(
        _ operation: WeakReference?, _ body: @Sendable () async throws -> T
    ) async throws -> T {
        guard let operation else { return try await body() }
        return try await $current.withValue(operation) { try await body() }
    }
}
