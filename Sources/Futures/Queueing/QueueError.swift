// QueueError: why a queue did not run an operation to its end.

/// Why a queue did not run an operation to its end.
public enum QueueError: Error, Equatable {
    /// The queue accepts no operations any more.
    case closed

    /// So many operations wait already.
    case queueFull(maxWaitingCount: Int)

    /// The operation did not begin within this time.
    case waitedTooLong(Duration)

    /// The operation was not over within this time.
    case ranTooLong(Duration)

    /// The operation enqueued at `running` waits for the one enqueued at `waiting`, which cannot begin before it is
    /// over.
    ///
    /// If both are the same, it may also wait for itself, as one that waits for its own queue to be empty does.
    case deadlock(running: FutureError.Origin, waiting: FutureError.Origin)
}

extension QueueError: CustomStringConvertible {
    /// What happened, in a sentence. `Documentation/Guide.md` says what to do about it.
    public var description: String {
        switch self {
        case .closed:
            "The queue is closed."
        case .queueFull(let count):
            "The queue is full: \(count) operations are waiting already."
        case .waitedTooLong(let duration):
            "The operation did not start within \(duration)."
        case .ranTooLong(let duration):
            "The operation did not complete within \(duration)."
        case .deadlock(let running, let waiting) where running == waiting:
            "The operation enqueued at \(running) waits for itself: for its queue to be empty, or for an operation that was "
                + "enqueued at the same place and cannot start before it."
        case .deadlock(let running, let waiting):
            "The operation enqueued at \(running) waits for the one enqueued at \(waiting), which cannot start before it."
        }
    }
}
