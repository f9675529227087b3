// CleanupState: how far an operation with a cleanup is.

/// A pure state machine: when the cleanup of an operation starts, and which future reports its error. It calls nothing.
///
///     fresh ── call ──► called ── hasReturned ──► returned ── start ──► cleaning ── finish ──► over
///       └── close ──► over
///
/// The operation's future can complete early in each of these states, by `end`: it is cancelled, aborted or fails by
/// its time limit while the operation or the cleanup is in progress.
struct CleanupState<Value: Sendable> {
    private enum Phase {
        /// The operation was not called yet. Next is called or over.
        case fresh
        /// The operation's closure is in progress. Next is returned.
        case called
        /// The operation's closure has returned a future. Next is cleaning.
        case returned(Future<Value>)
        /// The cleanup is in progress. Next is `over`.
        case cleaning
        /// The cleanup is complete, or there is none.
        case over
    }

    private var phase = Phase.fresh
    /// The error with which the operation's future has ended early.
    private(set) var endError: (any Error)?
    /// Whether the step that starts the cleanup was cancelled, and nothing watches the operation's future yet.
    private var hasLeft = false

    /// Notes that the operation is called; returns false if it must not be.
    mutating func call() -> Bool {
        guard case .fresh = phase else { return false }
        phase = .called
        return true
    }

    /// The operation's closure has returned `future`. Returns whether the operation's own future is complete already.
    mutating func hasReturned(_ future: Future<Value>) -> Bool {
        phase = .returned(future)
        return endError != nil
    }

    /// The operation's future completes by itself, or was complete before the operation could be called.
    mutating func close() {
        if case .fresh = phase { phase = .over }
    }

    /// The step that starts the cleanup was cancelled. Returns the future to watch instead. Nil if nothing is left to
    /// watch, or if `end` is about to come, which then returns the future.
    mutating func leave() -> Future<Value>? {
        guard case .returned(let future) = phase else { return nil }
        hasLeft = endError == nil
        return hasLeft ? nil : future
    }

    /// Whether the operation's future failed because it waits for an operation behind it.
    var isDeadlocked: Bool {
        if case .deadlock? = endError as? QueueError { true } else { false }
    }

    /// The operation's future was cancelled or failed with `error`. Returns the future to watch if its step was cancelled
    /// before.
    mutating func end(with error: any Error) -> Future<Value>? {
        endError = error
        switch phase {
        case .fresh: phase = .over
        case .returned(let future) where hasLeft: return future
        case .called, .returned, .cleaning, .over: break
        }
        return nil
    }

    /// Starts the cleanup, and returns the future to release. Nil if it was started before, or the operation was never
    /// called.
    mutating func start() -> Future<Value>? {
        guard case .returned(let future) = phase else { return nil }
        phase = .cleaning
        return future
    }

    /// The cleanup is complete. Returns whether the operation's future reports its error.
    mutating func finish(hasSucceeded: Bool) -> Bool {
        phase = .over
        return hasSucceeded && endError == nil
    }
}

/// What the cleanup of an asynchronous operation needs to know when it starts, in a task of its own.
struct CleanedTask: Sendable {
    /// Whether the operation was called.
    var isCalled = false
    /// The error with which the operation's future has ended early.
    var endError: (any Error)?
}

extension Locked<CleanedTask> {
    // Not in the generic code that uses it, whose closures are larger.
    var endError: (any Error)? { withLock { $0.endError } }
}

extension Result where Failure == any Error {
    /// The result that a cleanup gets: the one that the operation's future has or will have, which is this one unless
    /// that future has ended early with an error.
    func unlessEnded(with error: (any Error)?) -> Result { error.map { .failure($0) } ?? self }
}
