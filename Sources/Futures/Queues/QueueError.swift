// QueueError: errors of queues.

/// An error of an operation that its queue did not run, or did not run to its end.
///
/// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum QueueError: Error, Equatable {
    /// The queue was closed, and accepts no operations.
    case closed

    /// As many operations as the queue accepts are waiting already.
    case full(maxWaitingCount: Int)

    /// The weight of the operation is greater than the limit of its queue, so it could never start.
    case tooHeavy(weight: Int, limit: Int)

    /// The operation did not start within this time.
    case waitTimedOut(after: Duration)

    /// The operation did not complete within this time after its start.
    case runTimedOut(after: Duration)

    /// The operation enqueued at `running` waits for the one enqueued at `waiting`, which cannot start before it
    /// completes.
    ///
    /// If both are the same place, the operation may also wait for itself, for instance by waiting for its own queue to
    /// drain.
    case deadlock(running: FutureError.SourceLocation, waiting: FutureError.SourceLocation)
}

extension QueueError: CustomStringConvertible {
    /// A sentence that says what happened. `Documentation/Guides/Errors.md` says what to do about it.
    public var description: String {
        switch self {
        case .closed:
            "The queue is closed."
        case .full(let count):
            "The queue is full: \(count) operations are waiting already."
        case .tooHeavy(let weight, let limit):
            "The operation has a weight of \(weight), and its queue a limit of \(limit): it could never start. Give it a "
                + "smaller weight, or the queue a greater maxConcurrentCount (a semaphore: a greater count)."
        case .waitTimedOut(after: let duration):
            "The operation did not start within \(duration.asDelay)."
        case .runTimedOut(after: let duration):
            "The operation did not complete within \(duration.asDelay)."
        case .deadlock(let running, let waiting) where running == waiting:
            "The operation enqueued at \(running) waits for itself: for its queue to be empty, or for an operation that was "
                + "enqueued at the same place and cannot start before it."
        case .deadlock(let running, let waiting):
            "The operation enqueued at \(running) waits for the one enqueued at \(waiting), which cannot start before it."
        }
    }
}
