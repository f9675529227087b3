// value: awaits a future in asynchronous code.

extension Future {
    /// The value, or the error thrown, once there is one; at once and without suspending, if there is one already.
    ///
    ///     let page = try await fetch(url).value
    ///
    /// If the awaiting task is cancelled meanwhile, it gives up at once and throws a `CancellationError`; the future is
    /// cancelled then too, unless somebody else listens to it. A result that is there is given to a cancelled task too.
    @inlinable
    public nonisolated(nonsending) var value: Value {
        get async throws {
            if let result { return try result.get() }
            guard await node.suspendUntilSettled() else { throw CancellationError() }
            return try result!.get()
        }
    }
}

extension Node {
    /// Suspends until this node has settled; false, if the task was cancelled before.
    // With a parameter for the actor, which the closure captures: one that is `nonisolated(nonsending)` would make the
    // task leave its actor before it suspends, as its closure is not.
    @usableFromInline
    func suspendUntilSettled(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        if resolved.isSettled, !Task.isCancelled { return true }
        let wait = Locked(AwaitState.fresh)
        return await withTaskCancellationHandler {
            _ = isolation
            return await withUnsafeContinuation { continuation in
                guard wait.withLock({ $0.begin(continuation) }) else {
                    // Cancelled before: nobody has begun to listen.
                    cancel()
                    return continuation.resume(returning: false)
                }
                let listener = Node.listener(to: self) { _ in
                    wait.withLock { $0.arrive() }?.resume(returning: true)
                }
                if !wait.withLock({ $0.listen(listener) }) { listener.cancel() }
            }
        } onCancel: {
            let (listener, continuation) = wait.withLock { $0.cancel() }
            // First the future, so that it is cancelled by the time that the task goes on.
            listener?.cancel()
            continuation?.resume(returning: false)
        }
    }
}

/// A pure state machine: how far a task that awaits a future is. It calls nothing.
private enum AwaitState: Sendable {
    typealias Continuation = UnsafeContinuation<Bool, Never>

    /// The task has not suspended. Next is `suspended` or `over`.
    case fresh
    /// The task has suspended, and a listener is being made. Next is `listening` or `over`.
    case suspended(Continuation)
    /// Next is `over`.
    case listening(Continuation, Node)
    /// The continuation was taken, or the task was cancelled before there was one.
    case over

    /// Whether the task is to wait: it was not cancelled before.
    mutating func begin(_ continuation: Continuation) -> Bool {
        guard case .fresh = self else { return false }
        self = .suspended(continuation)
        return true
    }

    /// Whether the listener is still wanted; else it is to be cancelled, which does nothing if it was called.
    mutating func listen(_ listener: Node) -> Bool {
        guard case .suspended(let continuation) = self else { return false }
        self = .listening(continuation, listener)
        return true
    }

    /// What is to be resumed.
    mutating func arrive() -> Continuation? { cancel().1 }

    /// What is to be cancelled and resumed.
    mutating func cancel() -> (Node?, Continuation?) {
        defer { self = .over }
        return switch self {
        case .fresh, .over: (nil, nil)
        case .suspended(let continuation): (nil, continuation)
        case .listening(let continuation, let listener): (listener, continuation)
        }
    }
}
